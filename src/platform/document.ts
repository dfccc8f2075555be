import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { DocumentedRoute } from './openapi.ts'
import type { Scope, Service } from './service.ts'

/** The OpenAPI documents: of all that the process serves, of each service, and of what belongs to none. */
export function documentRoutes({ app }: Scope, services: Service[], document: (name?: string) => object): void {
  const serve = (url: string, title: string, name?: string) => {
    let text: string | undefined
    app.get(url, {
      config: { needs: 'nothing' },
      schema: { summary: `The OpenAPI document: ${title}`, response: { 200: Type.Unsafe<string>({ type: 'object' }) } },
      handler: async (_request, reply) => {
        text ??= JSON.stringify(document(name))
        return reply.type('application/json').send(text)
      }
    })
  }
  serve('/openapi.json', 'every route of this process')
  for (const { name, title } of services.filter(service => service.isForPeople !== true))
    serve(`/openapi/${name}.json`, title, name)
}

/** What a route says of itself. */
export function documentedRoute(
  service: Service,
  method: string,
  { url, schema = {}, config }: RouteOptions
): DocumentedRoute {
  if (config?.needs === undefined) throw new Error(`${method} ${url} does not say what it needs of its caller.`)
  const documentedSchema = schema as DocumentedRoute['schema']
  const creates = config.creates === true
  if (method === 'POST' && documentedSchema.response?.['201'] !== undefined && !creates) {
    throw new Error(`POST ${url} makes something, so it must take an Idempotency-Key (creates: true).`)
  }
  const { name, dialect, manners } = service
  const taken = config.takes ?? Object.keys(manners?.bodies ?? { 'application/json': true })
  const bodies = taken.filter(type => type !== '*')
  const needsConfirmation = config.needsConfirmation !== undefined
  const { needs } = config
  return { service: name, dialect, bodies, method, url, needs, creates, needsConfirmation, schema: documentedSchema }
}
