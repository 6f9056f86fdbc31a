import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import { Session } from './api/session';
import { App } from './app';

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <Session>
      <App />
    </Session>
  </StrictMode>,
);
