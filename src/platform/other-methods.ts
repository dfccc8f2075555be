import type { FastifyInstance } from 'fastify'
import { answerOptions } from './cors.ts'
import { methodNotAllowed } from './refuse.ts'
import type { Manners } from './service.ts'

/** An address that exists answers every method: with what it takes. */
export function answerOtherMethods(app: FastifyInstance, methods: Map<string, Set<string>>, manners?: Manners): void {
  for (const [url, known] of [...methods]) {
    const allow = [...known, 'OPTIONS'].join(', ')
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(method => !known.has(method))
    const schema = {}
    app.options(url, { config: { needs: 'nothing' }, schema }, (request, reply) =>
      answerOptions(request, reply, allow, manners?.options(request, [...known]))
    )
    if (others.length > 0) {
      app.route({
        method: others as 'GET'[],
        url,
        exposeHeadRoute: false,
        config: { needs: 'nothing' },
        // A body does not matter here, whatever its type.
        onRequest: async () => {
          throw manners?.noSuchMethod(allow) ?? methodNotAllowed(allow)
        },
        handler: async () => undefined
      })
    }
  }
}
