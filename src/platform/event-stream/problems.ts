import { Problem } from '../problem.ts'

export const listenersPerAddressMax = 10

export const newStreamFullProblem = () =>
  new Problem(
    503,
    'too-many-listeners',
    {
      en: 'Too many open streams. Try again in a minute.',
      de: 'Zu viele offene Streams. Bitte in einer Minute noch einmal versuchen.'
    },
    { headers: { 'retry-after': '60' } }
  )

export const newTooManyStreamsProblem = () =>
  new Problem(
    429,
    'too-many-listeners',
    {
      en: `Too many open streams from your IP address, at most ${listenersPerAddressMax}. Close one, or try again in a minute.`,
      de: `Zu viele offene Streams von Ihrer IP-Adresse, höchstens ${listenersPerAddressMax}. Schließen Sie einen, oder versuchen Sie es in einer Minute noch einmal.`
    },
    { headers: { 'retry-after': '60' } }
  )
