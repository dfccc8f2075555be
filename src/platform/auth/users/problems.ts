import { buildText } from '../../messages/messages.ts'
import { Problem } from '../../problem.ts'

export const newUserNotFoundProblem = (id: number) =>
  new Problem(404, 'user-not-found', buildText('auth-problems', 'userNotFound', { id }))
export function newEmailTakenProblem(): Problem {
  const message = buildText('auth-problems', 'emailTaken')
  return new Problem(409, 'email-taken', message, {
    errors: [{ in: 'body', pointer: '/email', code: 'email-taken', message }]
  })
}
