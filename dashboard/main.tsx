import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import { Session } from './api/session';
import { reloadStaleVersion } from './api/staleVersion';
import { WithViewer } from './api/viewer';
import { App } from './app';

reloadStaleVersion();

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <Session>
      <WithViewer>
        <App />
      </WithViewer>
    </Session>
  </StrictMode>,
);
