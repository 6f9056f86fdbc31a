import { lazy, type ComponentType } from 'react';
import { FleetView } from './views/fleet/fleetView';

export interface Route {
  /** As wouter reads it; the server answers the same paths (src/server/dashboard.ts). */
  readonly path: string;
  /** What the navigation calls it; a route without a label is reached by links alone. */
  readonly label?: string;
  /** The path of the view that the navigation marks instead, where it has no label. */
  readonly section?: string;
  readonly view: ComponentType;
}

/** The views of the dashboard. All but the first are loaded when they are opened. */
export const ROUTES: readonly Route[] = [
  { path: '/', label: 'Fleet', view: FleetView },
  { path: '/hosts/:host', section: '/', view: lazy(() => import('./views/host/hostView')) },
  { path: '/place', label: 'Place it', view: lazy(() => import('./views/place/placeView')) },
  { path: '/consumers', label: 'Consumers', view: lazy(() => import('./views/consumers/consumersView')) },
  {
    path: '/consumers/:consumer',
    section: '/consumers',
    view: lazy(() => import('./views/consumers/consumer/consumerView')),
  },
  { path: '/projects', label: 'Projects', view: lazy(() => import('./views/consumers/projectsView')) },
  {
    path: '/projects/:project',
    section: '/projects',
    view: lazy(() => import('./views/consumers/projectView')),
  },
  { path: '/audit', label: 'Audit', view: lazy(() => import('./views/audit/auditView')) },
];
