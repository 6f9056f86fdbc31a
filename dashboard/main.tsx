import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import { Session } from './api/session';
import { WithViewer } from './api/viewer';
import { App } from './app';

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <Session>
      <WithViewer>
        <App />
      </WithViewer>
    </Session>
  </StrictMode>,
);
