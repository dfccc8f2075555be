import type { FastifyRequest } from 'fastify'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'

/** What The Events Calendar expects in the header X-TEC-EEA of a request to `tec/v1`, in any case. */
export const acknowledgement =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.'

export function requireAcknowledgement({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (String(headers['x-tec-eea'] ?? '').toLowerCase() === acknowledgement.toLowerCase()) return
  throw new Problem(
    400,
    'missing_experimental_endpoint_acknowledgement',
    buildText('calendar-problems', 'missingExperimentalEndpointAcknowledgement')
  )
}
