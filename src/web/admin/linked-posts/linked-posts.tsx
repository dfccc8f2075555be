import { getLanguageValues, getOtherLanguage } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Redirect } from '../../page/page.ts'
import type { Image } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { findImage, listOfferedImages } from '../events/event-choices.ts'
import { formBytesMax, withUpload } from '../images/image-field.tsx'
import { getTextLanguage, toFieldErrors } from '../shared/calendar/fields.tsx'
import { createItem, readBothLanguages, saveItem } from '../shared/calendar/item.ts'
import { RemoveTextLink, registerTextRemovalRoutes } from '../shared/calendar/text-removal.tsx'
import { registerTrashRoutes, showUnlessTrashed, TrashButton } from '../shared/calendar/trash.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { buildEditorPage, type FormErrors, hasErrors, listFieldDifferences } from '../shared/editor.tsx'
import { isConflict } from '../shared/form.tsx'
import { decodeSlug } from '../shared/forms/field-kinds.ts'
import { getLabels, newInput, parseInput, toBody, toInput } from '../shared/forms/form-input.ts'
import { LinkedPostForm } from './linked-post-form.tsx'
import { downloadLinkedPosts, showLinkedPosts } from './linked-post-list.tsx'
import { getName, type LinkedPost, type LinkedPostInput, type LinkedPostType } from './linked-post-type.ts'

const scripts = ['event-form', 'editor']

/** List, editor and trash of venues or organizers. */
export function registerLinkedPostRoutes(console: AdminRouter, kind: LinkedPostType): void {
  const path = `/admin/${kind.collection}`
  console.get(path, ['editor', 'viewer'], async context => await showLinkedPosts(context, kind))
  console.get(`${path}.csv`, ['editor', 'viewer'], async context => await downloadLinkedPosts(context, kind))
  console.get(
    `${path}/new`,
    ['editor'],
    async context => await buildNewPage(context, kind, newInput(kind.fields), { errors: {} })
  )
  console.post(`${path}/new`, ['editor'], async context => await create(context, kind), formBytesMax)
  console.get(`${path}/:id`, ['editor'], async context => await showEditor(context, kind))
  console.post(`${path}/:id`, ['editor'], async context => await save(context, kind), formBytesMax)
  registerTrashRoutes(console, kind.collection)
  registerTextRemovalRoutes(console, kind)
}

async function buildNewPage(
  context: AdminContext,
  kind: LinkedPostType,
  input: LinkedPostInput,
  wrong: FormErrors
): Promise<AdminPage> {
  const language = getTextLanguage(context)
  const images = await listOfferedImages(context)
  return buildEditorPage(context, {
    title: getMessages('calendar-admin', context.language)[kind.collection].create,
    menu: `/admin/${kind.collection}`,
    language,
    wrong,
    scripts: scripts,
    children: (
      <LinkedPostForm
        {...wrong}
        context={context}
        kind={kind}
        language={language}
        etag=""
        input={input}
        other={undefined}
        images={images}
        image={await findImage(context, images, input.image ?? '')}
      />
    )
  })
}

async function create(context: AdminContext, kind: LinkedPostType): Promise<AdminPage | Redirect> {
  const { input, errors } = await withUpload(context, parseInput(context, kind.fields))
  if (hasErrors({ errors })) return await buildNewPage(context, kind, input, { errors })
  try {
    const said = getMessages('calendar-admin', context.language)[kind.collection].created
    return await createItem(context, kind.collection, toBody(context, kind.fields, input).body, said)
  } catch (error) {
    return await buildNewPage(context, kind, input, toErrors(context, kind, error))
  }
}

function toErrors(context: AdminContext, kind: LinkedPostType, error: unknown): FormErrors {
  const { fields, general } = toFieldErrors(
    context,
    error,
    getLabels(kind.fields, getMessages('calendar-admin', context.language))
  )
  return { errors: fields, general }
}

interface LoadedPost {
  item: LinkedPost
  other: LinkedPost
  etag: string
  images: Image[]
}

async function loadPost(context: AdminContext, { collection }: LinkedPostType): Promise<LoadedPost> {
  const [read, images] = await Promise.all([
    readBothLanguages<LinkedPost>(context, collection),
    listOfferedImages(context)
  ])
  return { ...read, images }
}

async function showEditor(context: AdminContext, kind: LinkedPostType): Promise<AdminPage> {
  return await showUnlessTrashed(context, kind.collection, async () => {
    const read = await loadPost(context, kind)
    const input = toInput(context, kind.fields, read.item, getTextLanguage(context))
    return await buildEditor(context, kind, read, { etag: read.etag, input, errors: {} })
  })
}

interface EditorState extends FormErrors {
  etag: string
  input: LinkedPostInput
  isConflict?: boolean
}

async function buildEditor(
  context: AdminContext,
  kind: LinkedPostType,
  read: LoadedPost,
  shown: EditorState
): Promise<AdminPage> {
  const { item: place, other, images } = read
  const strings = getMessages('calendar-admin', context.language)
  const language = getTextLanguage(context)
  const menu = `/admin/${kind.collection}`
  const { isConflict = false, ...form } = shown
  const hasOther = place.translations.includes(getOtherLanguage(language))
  return buildEditorPage(context, {
    title: form.input[kind.name] || getName(kind, place),
    menu,
    id: place.id,
    language,
    written: place.translations,
    wrong: shown,
    differences: isConflict
      ? listFieldDifferences(
          getLabels(kind.fields, strings),
          toInput(context, kind.fields, place, language),
          form.input
        )
      : undefined,
    scripts: scripts,
    actions:
      place.status === 'publish' ? (
        <a class="button quiet" href={getPath(kind.name, place.language, decodeSlug(place.slug))}>
          {strings.view}
        </a>
      ) : undefined,
    children: (
      <>
        {place.translations.includes(language) ? null : (
          <p class="notice">{strings.notWritten(getLanguageValues(language, context.language))}</p>
        )}
        <LinkedPostForm
          {...form}
          context={context}
          kind={kind}
          id={place.id}
          language={language}
          other={hasOther ? toInput(context, kind.fields, other) : undefined}
          images={images}
          image={await findImage(context, images, form.input.image ?? '')}
        />
      </>
    ),
    end: (
      <>
        <RemoveTextLink
          context={context}
          path={`${menu}/${place.id}`}
          language={language}
          written={place.translations}
        />
        <TrashButton context={context} collection={kind.collection} item={place} name={getName(kind, place)} />
      </>
    )
  })
}

async function save(context: AdminContext, kind: LinkedPostType): Promise<AdminPage | Redirect> {
  const { input, errors } = await withUpload(context, parseInput(context, kind.fields))
  const again = async (wrong: FormErrors) =>
    await buildEditor(context, kind, await loadPost(context, kind), {
      ...wrong,
      etag: getFormField(context, 'etag'),
      input
    })
  if (hasErrors({ errors })) return await again({ errors })
  try {
    return await saveItem(context, kind.collection, toBody(context, kind.fields, input).body)
  } catch (error) {
    if (!isConflict(error)) return await again(toErrors(context, kind, error))
    const read = await loadPost(context, kind)
    return await buildEditor(context, kind, read, { etag: read.etag, input, errors: {}, isConflict: true })
  }
}
