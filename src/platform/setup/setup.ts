import type { NewSession } from '../auth/sessions/schema.ts'
import { startSession } from '../auth/sessions/session.ts'
import { generateRandomText, hashToken } from '../auth/tokens/token.ts'
import { createUser, hashForNewUser } from '../auth/user-management/user.ts'
import * as users from '../auth/users/queries.ts'
import { type Caller, newUserCaller } from '../caller.ts'
import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import type { SiteRow } from '../site/queries.ts'
import * as site from '../site/queries.ts'
import { changeSite } from '../site/site.ts'
import * as setup from './queries.ts'
import type { Setup } from './schema.ts'

/**
 * Creates the setup token that is printed at start-up. It is sent like a key, and gives the admin role until it has
 * created the first account. Undefined if there has ever been an account.
 */
export async function newSetupToken(db: Database, now = new Date()): Promise<string | undefined> {
  if (await users.hasUsers(db)) return undefined
  const token = `kst_${generateRandomText(10)}_${generateRandomText(32)}`
  await db.transaction(async tx => {
    await setup.removeExpired(tx, now)
    await setup.insert(tx, hashToken(token), now)
  })
  return token
}

/**
 * Hashes the password before the transaction, because it takes long. Undefined if an account exists, which `setUp`
 * refuses.
 */
export async function prepareSetup(db: Database, { user }: Setup): Promise<string | undefined> {
  if (await users.hasUsers(db)) return undefined
  try {
    return await hashForNewUser(db, { ...user, role: 'admin' })
  } catch (error) {
    throw prefixUserPointer(error)
  }
}

/** Creates the first admin and changes the site in one transaction. A concurrent second setup is refused. */
export async function setUp(
  db: Database,
  { requestId }: Caller,
  input: Setup,
  { settings, passwordHash, now = new Date() }: { settings: Settings; passwordHash: string | undefined; now?: Date }
): Promise<{ session: NewSession; row: SiteRow }> {
  return await db.transaction(async tx => {
    const before = await site.lock(tx)
    if (passwordHash === undefined || (await users.hasUsers(tx))) throw newAlreadySetUpProblem()
    const { name, email, language } = input.user
    const fallback = input.site?.defaultLanguage ?? settings.defaultLanguage
    const fields = { name, email, role: 'admin' as const, passwordHash, fallback }
    const founder = { role: 'admin' as const, name: 'first run', ...noIds, requestId }
    const { id } = await createUser(tx, founder, language === undefined ? fields : { ...fields, language }, now)
    const session = await startSession(tx, { id, hash: passwordHash }, requestId, now)
    const by = newUserCaller({ id: 0, userId: id, name, role: 'admin' }, requestId)
    const row =
      input.site === undefined
        ? before
        : await changeSite(tx, { by, settings, expected: undefined, pointer: '/site', now }, input.site)
    await setup.removeAll(tx)
    return { session, row }
  })
}

const noIds = { keyId: undefined, userId: undefined, sessionId: undefined }

/** The user's fields are nested one level deeper in this body. */
function prefixUserPointer(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const errors = error.errors.map(field => ({ ...field, pointer: `/user${field.pointer}` }))
  return new Problem(error.status, error.code, error.text, { errors, headers: error.headers })
}

const newAlreadySetUpProblem = () => new Problem(409, 'already-set-up', buildText('site-problems', 'alreadySetUp'))
