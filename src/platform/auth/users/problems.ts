import { Problem } from '../../problem.ts'

export const newUserNotFoundProblem = (id: number) =>
  new Problem(404, 'user-not-found', { en: `User ${id} not found.`, de: `Zugang ${id} nicht gefunden.` })
export function newEmailTakenProblem(): Problem {
  const message = {
    en: 'A user with this email address already exists.',
    de: 'Mit dieser E-Mail-Adresse gibt es schon einen Zugang.'
  }
  return new Problem(409, 'email-taken', message, {
    errors: [{ in: 'body', pointer: '/email', code: 'email-taken', message }]
  })
}
