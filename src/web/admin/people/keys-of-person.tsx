import type { Key } from '#platform/keys/schema.ts'
import type { User } from '#platform/users/schema.ts'
import { consoleWords } from '../../text/console.ts'
import { peopleWords } from '../../text/people.ts'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'

export async function listKeysOf(desk: Desk, { id }: User): Promise<Key[]> {
  const { body } = await desk.api.get<Key[]>('/keys')
  return body.filter(({ madeBy }) => madeBy?.id === id)
}

/** What the form of the removal says about keys, as the API takes it. */
export function chosenForKeys(desk: Desk): string {
  return field(desk, 'keys') === 'handover' ? '?keys=handover' : ''
}

/** Which keys end with somebody, and the way to keep them. */
export function KeysChoice({ desk, keys }: { desk: Desk; keys: Key[] }) {
  if (keys.length === 0) return null
  const words = peopleWords[desk.language].users
  const isHandover = field(desk, 'keys') === 'handover'
  return (
    <fieldset class="field choices">
      <legend>{words.keysTitle}</legend>
      <KeyList desk={desk} keys={keys} />
      <label class="check">
        <input type="radio" name="keys" value="end" checked={!isHandover} />
        <span>{words.keysEnd}</span>
      </label>
      <label class="check">
        <input type="radio" name="keys" value="handover" checked={isHandover} />
        <span>{words.keysHandover}</span>
      </label>
    </fieldset>
  )
}

/** Beside the role of somebody who made keys. */
export function KeysNote({ desk, keys }: { desk: Desk; keys: Key[] }) {
  if (keys.length === 0) return null
  const words = peopleWords[desk.language].users
  return (
    <div class="field">
      <p>{words.keysTitle}:</p>
      <KeyList desk={desk} keys={keys} />
      <p class="hint">{words.keysBeyond}</p>
    </div>
  )
}

function KeyList({ desk, keys }: { desk: Desk; keys: Key[] }) {
  const { roles } = consoleWords[desk.language]
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
