import { Suspense } from 'react';
import { Link, matchRoute, Route, Switch, useLocation, useRouter } from 'wouter';
import { SessionMenu } from './api/sessionMenu';
import { EmptyState, LoadingState } from './components/states';
import { ThemeSwitch } from './components/themeSwitch';
import { ROUTES } from './routes';

/** The frame around every view: navigation above, the view of the address below. */
export function App() {
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="top-bar">
        <Link href="/" className="brand">
          <img src={new URL('./icon.svg', import.meta.url).href} alt="" width="22" height="22" />
          Placement
        </Link>
        <Navigation />
        <div className="top-bar-end">
          <SessionMenu />
          <ThemeSwitch />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Suspense fallback={<LoadingState />}>
          <Switch>
            {ROUTES.map(({ path, view }) => (
              <Route key={path} path={path} component={view} />
            ))}
            <Route>
              <div className="view">
                <h1>Not found</h1>
                <EmptyState title="There is no such page.">
                  <Link href="/">To the fleet</Link>
                </EmptyState>
              </div>
            </Route>
          </Switch>
        </Suspense>
      </main>
    </>
  );
}

/** The views. The one that is shown is marked, or the one that it belongs to. */
function Navigation() {
  const [location] = useLocation();
  const { parser } = useRouter();
  const shown = ROUTES.find(({ path }) => matchRoute(parser, path, location)[0]);
  const markOf = (path: string): 'page' | 'true' | undefined => {
    if (path === shown?.path) return 'page';
    return path === shown?.section ? 'true' : undefined;
  };
  return (
    <nav aria-label="Views">
      {ROUTES.map(
        ({ path, label }) =>
          label !== undefined && (
            <Link key={path} href={path} aria-current={markOf(path)}>
              {label}
            </Link>
          ),
      )}
      <a href="/graphql">GraphiQL</a>
    </nav>
  );
}
