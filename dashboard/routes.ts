import { lazy, type ComponentType } from 'react';
import type { Right } from './api/viewer';
import { FleetView } from './views/fleet/fleetView';

export interface Route {
  /** The path pattern for wouter. The server serves the same paths (src/server/pages/dashboard.ts). */
  readonly path: string;
  /** The name in the navigation; only links lead to a route without a label. */
  readonly label?: string;
  /** For a route without a label: the path of the view that the navigation marks. */
  readonly section?: string;
  /** The right that the view requires. If it is omitted, every viewer may open the view. */
  readonly right?: Right;
  /** The names of the parameters of its address. */
  readonly parameters: RegExp;
  readonly view: ComponentType;
}

const PLACE_PARAMETERS =
  /^((resources|required|member_of|in_tree|split)[\w-]{0,64}|root_required|group_policy|isolate|same_subtree|not_in_trees|order|near|away|maintenance|limit|chosen|member|rule|plan|growProject|growWorkload|stay|room|roomType)$/;

/** The views of the dashboard. All but the first are loaded when they are opened. */
export const ROUTES: readonly Route[] = [
  {
    path: '/',
    label: 'Fleet',
    right: 'hosts',
    parameters: /^(class|group|search|order|view|flavors|mode|host|without|copy)$/,
    view: FleetView,
  },
  {
    path: '/new-host',
    section: '/',
    right: 'edit',
    parameters: /^$/,
    view: lazy(() => import('./views/host/newHostView')),
  },
  {
    path: '/hosts/:host',
    section: '/',
    right: 'hosts',
    parameters: /^(provider|keepTraits|plan)$/,
    view: lazy(() => import('./views/host/hostView')),
  },
  {
    path: '/drain',
    section: '/',
    right: 'hosts',
    parameters: /^(host|aggregate|keepTraits|without|copy|plan)$/,
    view: lazy(() => import('./views/drain/drainView')),
  },
  {
    path: '/place',
    label: 'Place it',
    right: 'candidates',
    parameters: PLACE_PARAMETERS,
    view: lazy(() => import('./views/place/placeView')),
  },
  {
    path: '/rebalance',
    label: 'Rebalance',
    right: 'rebalance',
    parameters: /^(goal|class|scope|moves|gain|keepTraits|keep|plan)$/,
    view: lazy(() => import('./views/rebalance/rebalanceView')),
  },
  {
    path: '/consumers',
    label: 'Consumers',
    parameters: /^(project|user|host|type|class|order|after|before)$/,
    view: lazy(() => import('./views/consumers/consumersView')),
  },
  {
    path: '/consumers/:consumer',
    section: '/consumers',
    parameters: /^(to|resize|keep)$/,
    view: lazy(() => import('./views/consumers/consumer/consumerView')),
  },
  {
    path: '/projects',
    label: 'Projects',
    parameters: /^(order|after|before)$/,
    view: lazy(() => import('./views/consumers/projectsView')),
  },
  {
    path: '/projects/:project',
    section: '/projects',
    parameters: /^(order|after|before)$/,
    view: lazy(() => import('./views/consumers/projectView')),
  },
  {
    path: '/audit',
    label: 'Audit',
    right: 'audit',
    parameters: /^(check|after)$/,
    view: lazy(() => import('./views/audit/auditView')),
  },
];
