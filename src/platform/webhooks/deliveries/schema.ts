import { type Static, Type } from 'typebox'
import { NamedObject } from '../../http/named-object.ts'
import { Nullable } from '../../http/nullable.ts'
import { Paging } from '../../http/paging.ts'

export const deliveryStatuses = ['waiting', 'delivered', 'given_up'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The type of a test message. It is no action, because nothing has happened. */
export const testType = 'webhook.test'

const Instant = Type.String({ format: 'date-time' })

export const Attempt = NamedObject('DeliveryAttempt', {
  at: Instant,
  durationMs: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'Status of the response; null if there was none.' })),
  error: Nullable(
    Type.String({
      description:
        'Reason for a missing or unread response: address, private-address, unreachable, timeout or redirect.'
    })
  ),
  response: Nullable(Type.String({ description: 'First 2 KB of the response body.' }))
})
export type Attempt = Static<typeof Attempt>

export const Delivery = NamedObject('Delivery', {
  id: Type.String({
    format: 'uuid',
    description: 'Id of the message, also in the header webhook-id; the same for every attempt.'
  }),
  action: Type.String(),
  subject: Type.String(),
  subjectId: Type.String(),
  status: Type.Enum([...deliveryStatuses]),
  attemptCount: Type.Integer(),
  createdAt: Instant,
  nextAttemptAt: Nullable(Instant),
  deliveredAt: Nullable(Instant),
  lastAttempt: Nullable(Attempt)
})
export type Delivery = Static<typeof Delivery>

export const DeliveryInFull = NamedObject('DeliveryInFull', {
  ...Delivery.properties,
  body: Nullable(Type.String({ description: 'Request body as sent, byte for byte; null before the first attempt.' })),
  attempts: Type.Array(Attempt, { description: 'Attempts, oldest first.' })
})
export type DeliveryInFull = Static<typeof DeliveryInFull>

export const DeliveryQuery = Type.Object({
  ...Paging.properties,
  // With its type, so that a repeated parameter is refused.
  status: Type.Optional(Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...deliveryStatuses] }))
})
