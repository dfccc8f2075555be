import type { Key } from '#platform/auth/keys/schema.ts'
import type { User } from '#platform/auth/users/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'

export async function listUserKeys(context: AdminContext, { id }: User): Promise<Key[]> {
  const { body } = await context.api.get<Key[]>('/keys')
  return body.filter(({ madeBy }) => madeBy?.id === id)
}

/** Query parameter for the keys of a deleted user. */
export function buildKeysQuery(context: AdminContext): string {
  return getFormField(context, 'keys') === 'handover' ? '?keys=handover' : ''
}

/** Lists the API keys that are revoked with the user, with the option to hand them over. */
export function KeysChoice({ context, keys }: { context: AdminContext; keys: Key[] }) {
  if (keys.length === 0) return null
  const strings = getMessages('users-and-keys', context.language).users
  const isHandover = getFormField(context, 'keys') === 'handover'
  return (
    <fieldset class="field choices">
      <legend>{strings.keysTitle}</legend>
      <KeyList context={context} keys={keys} />
      <label class="check">
        <input type="radio" name="keys" value="end" checked={!isHandover} />
        <span>{strings.keysEnd}</span>
      </label>
      <label class="check">
        <input type="radio" name="keys" value="handover" checked={isHandover} />
        <span>{strings.keysHandover}</span>
      </label>
    </fieldset>
  )
}

/** Shown beside the role of a user who created API keys. */
export function KeysNote({ context, keys }: { context: AdminContext; keys: Key[] }) {
  if (keys.length === 0) return null
  const strings = getMessages('users-and-keys', context.language).users
  return (
    <div class="field">
      <p>{strings.keysTitle}:</p>
      <KeyList context={context} keys={keys} />
      <p class="hint">{strings.keysBeyond}</p>
    </div>
  )
}

function KeyList({ context, keys }: { context: AdminContext; keys: Key[] }) {
  const { roles } = getMessages('admin', context.language)
  return (
    <ul>
      {keys.map(key => (
        <li key={key.id}>
          {key.name} ({roles[key.role]})
        </li>
      ))}
    </ul>
  )
}
