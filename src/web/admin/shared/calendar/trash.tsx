import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { ApiError, withQuery } from '../../../server/api-client.ts'
import { getFormField } from '../../../server/context.ts'
import type { AdminContext, AdminPage, AdminRouter } from '../context.ts'
import { ActionButton } from '../form.tsx'
import { getListPath, getListQuery } from '../list-query.ts'
import { getItemPath } from './item.ts'

/** Collections with a trash. */
type Trashable = 'events' | 'venues' | 'organizers'

/** Form field with the item's name, for the flash message. */
const nameField: Record<Trashable, string> = { events: 'title', venues: 'name', organizers: 'name' }

const restoreKind = { events: 'restore-event', venues: 'restore-venue', organizers: 'restore-organizer' } as const

export function registerTrashRoutes(console: AdminRouter, collection: Trashable): void {
  const path = `/admin/${collection}/:id`
  console.post(`${path}/trash`, ['editor'], async context => await trash(context, collection))
  console.post(`${path}/restore`, ['editor'], async context => await restore(context, collection))
  console.post(`${path}/delete`, ['editor'], async context => await remove(context, collection))
}

const restorable = ['publish', 'future', 'draft', 'pending', 'private']

/** Previous status if known, which it is right after trashing; else draft. */
function getRestoredStatus(context: AdminContext): string {
  const requested = getFormField(context, 'status')
  return restorable.includes(requested) ? requested : 'draft'
}

async function trash(context: AdminContext, collection: Trashable): Promise<Redirect> {
  const apply = getFormField(context, 'apply')
  if (collection === 'events' && (apply === 'following' || apply === 'all')) {
    await context.api.delete(withQuery(getItemPath(context, collection), { apply }))
    context.flash({ text: getMessages('series-admin', context.language).apply.trashed[apply] })
    return redirect('/admin/events', 303)
  }
  await context.api.delete(getItemPath(context, collection))
  const list = `/admin/${collection}`
  const back = getFormField(context, 'back')
  const name = getFormField(context, nameField[collection])
  context.flash({
    text: getMessages('calendar-admin', context.language).trashed({ name }),
    undo: {
      kind: restoreKind[collection],
      params: { id: context.params.id ?? '' },
      fields: { back: back.slice(0, 500), [nameField[collection]]: name, status: getRestoredStatus(context) }
    }
  })
  return redirect(getListPath(list, back), 303)
}

async function restore(context: AdminContext, collection: Trashable): Promise<Redirect> {
  await context.api.patch(getItemPath(context, collection), { status: getRestoredStatus(context) })
  const strings = getMessages('calendar-admin', context.language)
  const isKnown = getFormField(context, 'status') !== ''
  context.flash({
    text: (isKnown ? strings.restored : strings.restoredAsDraft)({
      name: getFormField(context, nameField[collection])
    })
  })
  return redirect(getListPath(`/admin/${collection}`, getFormField(context, 'back')), 303)
}

async function remove(context: AdminContext, collection: Trashable): Promise<Redirect> {
  await context.api.delete(withQuery(getItemPath(context, collection), { force: true }))
  context.flash({
    text: getMessages('calendar-admin', context.language).removed({
      name: getFormField(context, nameField[collection])
    })
  })
  return redirect(getListPath(`/admin/${collection}`, getFormField(context, 'back')), 303)
}

/** Shows a page with restore and delete instead of the editor, if the item is in the trash. */
export async function showUnlessTrashed(
  context: AdminContext,
  collection: Trashable,
  editor: () => Promise<AdminPage>
): Promise<AdminPage> {
  try {
    return await editor()
  } catch (error) {
    if (error instanceof ApiError && error.code.endsWith('-no-longer-available'))
      return buildTrashedPage(context, collection)
    throw error
  }
}

function buildTrashedPage(context: AdminContext, collection: Trashable): AdminPage {
  const strings = getMessages('calendar-admin', context.language)
  return {
    title: getMessages('event-admin', context.language).statuses.trash,
    menu: `/admin/${collection}`,
    status: 410,
    body: (
      <div class="card narrow">
        <p>{strings.inTrash}</p>
        <ActionButton
          context={context}
          action={`/admin/${collection}/${context.params.id}/restore`}
          label={strings.restore}
          look=""
        />
      </div>
    )
  }
}

interface TrashProps {
  context: AdminContext
  collection: Trashable
  item: { id: number; status: string }
  name: string
}

/** Button below an editor. */
export function TrashButton({ context, collection, item, name }: TrashProps) {
  return (
    <ActionButton
      context={context}
      action={`/admin/${collection}/${item.id}/trash`}
      label={getMessages('calendar-admin', context.language).trash}
      fields={{ status: item.status, [nameField[collection]]: name.slice(0, 100) }}
      look="small quiet danger"
    />
  )
}

/** Buttons in a row of a list: trash, or restore and delete. */
export function TrashRowButtons({
  context,
  collection,
  item,
  name,
  isTrash,
  label
}: TrashProps & {
  isTrash: boolean
  /** What moving it to the trash means. */
  label?: string | undefined
}) {
  const strings = getMessages('calendar-admin', context.language)
  const path = `/admin/${collection}/${item.id}`
  const fields = { back: getListQuery(context), [nameField[collection]]: name.slice(0, 100) }
  const act = (word: string, action: string, more: Record<string, string> = {}) => (
    <ActionButton
      context={context}
      action={`${path}/${action}`}
      label={renderActionLabel(word, name)}
      fields={{ ...fields, ...more }}
      look="link"
    />
  )
  if (!isTrash) return act(label ?? strings.trash, 'trash', { status: item.status })
  return (
    <>
      {act(strings.restore, 'restore')}
      {act(strings.remove, 'delete')}
    </>
  )
}

/** Adds the item's name for screen readers, so that equal buttons can be told apart. */
export function renderActionLabel(act: string, name: string) {
  return (
    <>
      {act}
      <span class="visually-hidden">: {name}</span>
    </>
  )
}
