import { Suspense } from 'react';
import { Link, matchRoute, Redirect, Route, Switch, useLocation, useRouter } from 'wouter';
import { SessionMenu } from './api/sessionMenu';
import { useViewer } from './api/viewer';
import { Brand } from './components/brand';
import { ErrorBoundary } from './components/errorBoundary';
import { useFocusOfView } from './components/focus';
import { SilenceNotice } from './components/liveMark';
import { useScrollPositions } from './components/scroll';
import { useSearchKey } from './components/searchKey';
import { EmptyState, LoadingState } from './components/states';
import { ThemeSwitch } from './components/themeSwitch';
import { UnknownParameters } from './components/unknownParameters';
import { ViewHead } from './components/viewHead';
import { ROUTES, type Route as ViewRoute } from './routes';

/** The frame around every view: navigation above, the view of the address below. */
export function App() {
  const [path] = useLocation();
  useScrollPositions();
  useSearchKey();
  useFocusOfView(path);
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="top-bar">
        <Link href="/" className="brand">
          <Brand />
        </Link>
        <Navigation />
        <div className="top-bar-end">
          <SessionMenu />
          <ThemeSwitch />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <SilenceNotice />
        <ErrorBoundary path={path}>
          <Suspense fallback={<LoadingState />}>
            <Switch>
              {ROUTES.map((route) => (
                <Route key={route.path} path={route.path}>
                  <View route={route} />
                </Route>
              ))}
              <Route>
                <NoView title="Not found" reason="This page does not exist." />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
    </>
  );
}

/** A view, if the viewer may see it. The project is the first page of viewers who may not see the fleet. */
function View({ route: { path, right, parameters, view: Content } }: { readonly route: ViewRoute }) {
  const { may, projectId } = useViewer();
  if (right === undefined || may(right))
    return (
      <>
        <UnknownParameters known={parameters} />
        <Content />
      </>
    );
  if (path === '/' && projectId !== null)
    return <Redirect to={`/projects/${encodeURIComponent(projectId)}`} replace />;
  return <NoView title="Forbidden" reason="Your role does not allow this page." />;
}

function NoView({ title, reason }: { readonly title: string; readonly reason: string }) {
  return (
    <div className="view">
      <ViewHead title={title} />
      <EmptyState title={reason}>
        <Link href="/">To the first page</Link>
      </EmptyState>
    </div>
  );
}

/** Lists the views that the viewer may see. Marks the shown view or the view of its section. */
function Navigation() {
  const [location] = useLocation();
  const { parser } = useRouter();
  const { may } = useViewer();
  const shown = ROUTES.find(({ path }) => matchRoute(parser, path, location)[0]);
  const markOf = (path: string): 'page' | 'true' | undefined => {
    if (path === shown?.path) return 'page';
    return path === shown?.section ? 'true' : undefined;
  };
  const offered = ROUTES.filter(({ label, right }) => label !== undefined && (!right || may(right)));
  return (
    <nav aria-label="Views">
      {offered.map(({ path, label }) => (
        <Link key={path} href={path} aria-current={markOf(path)}>
          {label}
        </Link>
      ))}
      <a href="/graphql">GraphiQL</a>
    </nav>
  );
}
