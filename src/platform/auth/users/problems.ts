import { Problem } from '../../problem.ts'

export const newUserNotFoundProblem = (id: number) =>
  new Problem(404, 'user-not-found', { en: `There is no user ${id}.`, de: `Die Person ${id} gibt es nicht.` })
export function newEmailTakenProblem(): Problem {
  const message = {
    en: 'Somebody has an account with this e-mail address already.',
    de: 'Mit dieser E-Mail-Adresse hat schon jemand ein Konto.'
  }
  return new Problem(409, 'email-taken', message, {
    errors: [{ in: 'body', pointer: '/email', code: 'email-taken', message }]
  })
}
