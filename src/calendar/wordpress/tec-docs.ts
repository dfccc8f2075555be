import { newOpenApi30Schemas } from '../contract/routing/openapi-30.ts'
import type { WordpressRouteTable } from './define-route.ts'
import { acknowledgement } from './experimental.ts'

/** The OpenAPI document of `tec/v1`, in the version in which The Events Calendar serves it. */
export function buildTecDocs({ routes }: WordpressRouteTable, root: string): object {
  const { convert, schemas } = newOpenApi30Schemas({})
  const paths: Record<string, Record<string, object>> = {}
  for (const { namespace, path, methods, response } of routes) {
    if (namespace !== 'tec/v1' || path === '' || path === '/docs') continue
    const operations = paths[path] ?? {}
    paths[path] = operations
    for (const method of methods) {
      const creates = method === 'POST' && !path.includes('{')
      operations[method.toLowerCase()] = {
        operationId: `${method.toLowerCase()}${path.replace(/\W+(\w)?/g, (_, letter = '') => letter.toUpperCase())}`,
        parameters: [
          ...(path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] : []),
          { name: 'X-TEC-EEA', in: 'header', required: true, schema: { type: 'string', enum: [acknowledgement] } }
        ],
        responses: {
          [creates ? 201 : 200]: {
            description: 'The resource, or the list.',
            content: { 'application/json': { schema: convert(response) } }
          }
        }
      }
    }
  }
  return {
    openapi: '3.0.4',
    info: {
      title: 'Kalends: events calendar, tec/v1',
      version: '1.0.0',
      description: 'The same events, venues and organizers as in `tribe/events/v1`, in the shape of posts of WordPress.'
    },
    servers: [{ url: `${root}/tec/v1` }],
    paths,
    components: { schemas }
  }
}
