// The pages that the program registers, so that a new page is missing in no test.
import { recordRegisteredRoutes } from './registered-routes.ts'

export interface Route {
  method: 'GET' | 'POST'
  path: string
}

/** Starts a server and records the routes of its pages. */
export async function recordPageRoutes<Started>(
  start: () => Promise<Started>
): Promise<{ started: Started; routes: Route[] }> {
  const { started, routes } = await recordRegisteredRoutes(start)
  const toRoute = ({ method, url }: { method: string; url: string }): Route => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`${method} ${url}: pages have GET and POST only.`)
    return { method, path: url }
  }
  return { started, routes: routes.filter(({ isPage }) => isPage).map(toRoute) }
}

/** The route that answers an address: the one with the most fixed parts. */
export function findRoute(routes: Route[], method: Route['method'], address: string): Route | undefined {
  const [path = ''] = address.split('?')
  const countFixed = (route: Route) =>
    route.path.split('/').filter(part => !/^[:*]/.test(part)).length - (route.path.includes('*') ? 0.5 : 0)
  return routes
    .filter(route => route.method === method && toPattern(route).test(path))
    .sort((one, other) => countFixed(other) - countFixed(one))[0]
}

const toPattern = ({ path }: Route) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.+')}$`)
