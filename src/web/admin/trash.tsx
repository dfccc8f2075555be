import { Refused, withQuery } from '../api.ts'
import { type Redirect, redirect } from '../page.ts'
import { eventWords } from '../text/events.ts'
import { placeWords } from '../text/places.ts'
import { field } from '../visit.ts'
import { itemPath } from './calendar-item.ts'
import type { Console, ConsolePage, Desk } from './console.ts'
import { Act } from './form.tsx'
import { backTo, hereIn } from './list-address.ts'

/** What can be thrown away and brought back. */
type Trashable = 'events' | 'venues' | 'organizers'

/** The field of a form that says what something is called, for the words afterwards. */
const nameField: Record<Trashable, string> = { events: 'title', venues: 'name', organizers: 'name' }

const restoreKind = { events: 'restore-event', venues: 'restore-venue', organizers: 'restore-organizer' } as const

export function trashPages(console: Console, collection: Trashable): void {
  const path = `/admin/${collection}/:id`
  console.take(`${path}/trash`, ['editor'], async desk => await trash(desk, collection))
  console.take(`${path}/restore`, ['editor'], async desk => await restore(desk, collection))
  console.take(`${path}/delete`, ['editor'], async desk => await remove(desk, collection))
}

const restorable = ['publish', 'future', 'draft', 'pending', 'private']

/** As what it was where that is known, which is right after it was thrown away; else as a draft. */
function statusAfter(desk: Desk): string {
  const asked = field(desk, 'status')
  return restorable.includes(asked) ? asked : 'draft'
}

async function trash(desk: Desk, collection: Trashable): Promise<Redirect> {
  await desk.api.delete(itemPath(desk, collection))
  const list = `/admin/${collection}`
  const back = field(desk, 'back')
  const name = field(desk, nameField[collection])
  desk.say({
    text: placeWords[desk.language].trashed(name),
    undo: {
      kind: restoreKind[collection],
      params: { id: desk.params.id ?? '' },
      fields: { back: back.slice(0, 500), [nameField[collection]]: name, status: statusAfter(desk) }
    }
  })
  return redirect(backTo(list, back), 303)
}

async function restore(desk: Desk, collection: Trashable): Promise<Redirect> {
  await desk.api.patch(itemPath(desk, collection), { status: statusAfter(desk) })
  const words = placeWords[desk.language]
  const isKnown = field(desk, 'status') !== ''
  desk.say({ text: (isKnown ? words.restored : words.restoredAsDraft)(field(desk, nameField[collection])) })
  return redirect(backTo(`/admin/${collection}`, field(desk, 'back')), 303)
}

async function remove(desk: Desk, collection: Trashable): Promise<Redirect> {
  await desk.api.delete(withQuery(itemPath(desk, collection), { force: true }))
  desk.say({ text: placeWords[desk.language].removed(field(desk, nameField[collection])) })
  return redirect(backTo(`/admin/${collection}`, field(desk, 'back')), 303)
}

/** Instead of the editor of what is in the trash. */
export async function unlessTrashed(
  desk: Desk,
  collection: Trashable,
  editor: () => Promise<ConsolePage>
): Promise<ConsolePage> {
  try {
    return await editor()
  } catch (error) {
    if (error instanceof Refused && error.code.endsWith('-no-longer-available')) return trashedPage(desk, collection)
    throw error
  }
}

function trashedPage(desk: Desk, collection: Trashable): ConsolePage {
  const words = placeWords[desk.language]
  return {
    title: eventWords[desk.language].statuses.trash,
    menu: `/admin/${collection}`,
    status: 410,
    body: (
      <div class="card narrow">
        <p>{words.inTrash}</p>
        <Act desk={desk} action={`/admin/${collection}/${desk.params.id}/restore`} label={words.restore} look="" />
      </div>
    )
  }
}

interface Trashed {
  desk: Desk
  collection: Trashable
  item: { id: number; status: string }
  name: string
}

/** Below an editor. */
export function TrashAct({ desk, collection, item, name }: Trashed) {
  return (
    <Act
      desk={desk}
      action={`/admin/${collection}/${item.id}/trash`}
      label={placeWords[desk.language].trash}
      fields={{ status: item.status, [nameField[collection]]: name.slice(0, 100) }}
      look="small quiet danger"
    />
  )
}

/** In a row of a list: into the trash, or out of it. */
export function TrashActs({ desk, collection, item, name, isTrash }: Trashed & { isTrash: boolean }) {
  const words = placeWords[desk.language]
  const path = `/admin/${collection}/${item.id}`
  const fields = { back: hereIn(desk), [nameField[collection]]: name.slice(0, 100) }
  const act = (word: string, action: string, more: Record<string, string> = {}) => (
    <Act
      desk={desk}
      action={`${path}/${action}`}
      label={heard(word, name)}
      fields={{ ...fields, ...more }}
      look="link"
    />
  )
  if (!isTrash) return act(words.trash, 'trash', { status: item.status })
  return (
    <>
      {act(words.restore, 'restore')}
      {act(words.remove, 'delete')}
    </>
  )
}

/** Who hears a list of buttons hears what each is for. */
export function heard(act: string, name: string) {
  return (
    <>
      {act}
      <span class="visually-hidden">: {name}</span>
    </>
  )
}
