import type { Page, Route } from 'playwright-core';

/** Handles the requests of one operation in place of the server. */
export function interceptIn(page: Page) {
  return (operation: string, handle: (route: Route) => Promise<void>): Promise<unknown> =>
    page.route('**/graphql', (route) =>
      route.request().postData()?.includes(operation) ? handle(route) : route.fallback(),
    );
}

/** A handler that passes the first request on and loses its answer. */
export function losesFirstAnswer(): (route: Route) => Promise<void> {
  let isLost = false;
  return async (route) => {
    if (isLost) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  };
}
