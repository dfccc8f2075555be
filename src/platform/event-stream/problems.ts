import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'

export const listenersPerAddressMax = 10

export const newStreamFullProblem = () =>
  new Problem(503, 'too-many-listeners', buildText('request-problems', 'streamFull'), {
    headers: { 'retry-after': '60' }
  })

export const newTooManyStreamsProblem = () =>
  new Problem(429, 'too-many-listeners', buildText('request-problems', 'tooManyStreams', { listenersPerAddressMax }), {
    headers: { 'retry-after': '60' }
  })
