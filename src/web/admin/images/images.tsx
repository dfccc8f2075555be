import { isFilePart } from '#platform/http/file-part.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmDeletePage } from '../shared/calendar/fields.tsx'
import { fetchRequestedPage, type ItemPage } from '../shared/calendar/lists.ts'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import { getThumbnailUrl, type StoredImage, uploadImage } from './image-field.tsx'

const menu = '/admin/images'
/** Body limit of several files at once, plus the other fields. */
const formBytesMax = 41 * 1024 * 1024

export function registerImageRoutes(console: AdminRouter): void {
  console.get(menu, ['editor'], async context =>
    buildPage(context, await fetchRequestedPage<StoredImage>(context, 'media', {}))
  )
  console.post(menu, ['editor'], uploadImages, formBytesMax)
  console.get(`${menu}/:id/delete`, ['editor'], askToRemove)
  console.post(`${menu}/:id/delete`, ['editor'], removeImage)
}

function buildPage(context: AdminContext, found: ItemPage<StoredImage>, error?: string): AdminPage {
  const strings = getMessages('calendar-admin', context.language).images
  const frame = getMessages('admin', context.language)
  return {
    title: frame.nav.images,
    menu,
    ...(error === undefined ? {} : { status: 422 }),
    body: (
      <>
        <Form context={context} action={menu} upload class="card upload-form">
          <ErrorSummary title={frame.mend} errors={error === undefined ? {} : { files: error }} />
          <Field name="files" label={strings.files} hint={strings.filesHint} error={error}>
            {tied => (
              <input
                {...tied}
                name="files[]"
                type="file"
                multiple
                required
                accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
              />
            )}
          </Field>
          <Field
            name="alt"
            label={strings.alt}
            hint={strings.altHint}
            maxLength={1000}
            value={error === undefined ? '' : getFormField(context, 'alt')}
          />
          <button type="submit">{strings.upload}</button>
        </Form>
        {found.items.length === 0 ? (
          <div class="empty">{strings.empty}</div>
        ) : (
          <ul class="image-grid" aria-label={strings.grid}>
            {found.items.map(image => (
              <ImageCard key={image.id} context={context} image={image} />
            ))}
          </ul>
        )}
        <Pager context={context} page={getPageNumber(context)} pages={found.pages} />
      </>
    )
  }
}

function ImageCard({ context, image }: { context: AdminContext; image: StoredImage }) {
  const strings = getMessages('calendar-admin', context.language).images
  const alt = image.alt ?? ''
  const name = alt === '' ? `${strings.noAlt} (${image.id})` : alt
  return (
    <li class="image-card">
      <a href={image.url}>
        <img src={image.sizes.medium?.url ?? getThumbnailUrl(image)} alt={`${strings.open}: ${name}`} loading="lazy" />
      </a>
      <p class={alt === '' ? 'image-alt muted' : 'image-alt'}>{alt === '' ? strings.noAlt : alt}</p>
      <p class="image-size muted">
        {strings.size({
          width: image.width,
          height: image.height,
          bytes: `${formatNumber(context.language, Math.ceil(image.filesize / 1024))} KB`
        })}
      </p>
      <a class="button small quiet" href={`${menu}/${image.id}/delete`}>
        {getMessages('calendar-admin', context.language).delete}
        <span class="visually-hidden">: {name}</span>
      </a>
    </li>
  )
}

async function uploadImages(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('calendar-admin', context.language).images
  const given = context.form.files
  const files = (Array.isArray(given) ? given : [given]).filter(isFilePart)
  if (files.length === 0)
    return buildPage(context, await fetchRequestedPage<StoredImage>(context, 'media', {}), strings.chooseFirst)
  const refused: string[] = []
  // Sequentially: resizing each image is CPU-heavy.
  for (const file of files) {
    try {
      await uploadImage(context.api, file, getFormField(context, 'alt'))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      refused.push(`${file.filename}: ${error.message}`)
    }
  }
  const done = files.length - refused.length
  if (done === 0)
    return buildPage(context, await fetchRequestedPage<StoredImage>(context, 'media', {}), refused.join(' '))
  context.flash(
    refused.length === 0
      ? { text: strings.uploaded({ count: done }) }
      : { text: strings.someRefused({ done, refused: refused.join(' ').slice(0, 500) }), tone: 'bad' }
  )
  return redirect(menu, 303)
}

async function askToRemove(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('calendar-admin', context.language).images
  const { body } = await context.api.get<StoredImage>(getImageApiPath(context))
  return buildConfirmDeletePage(context, {
    title: strings.question,
    menu,
    text: (
      <>
        <p>
          <img class="image-current" src={body.sizes.medium?.url ?? body.url} alt={body.alt ?? ''} />
        </p>
        <p>{strings.questionText}</p>
      </>
    ),
    action: `${menu}/${body.id}/delete`,
    yes: getMessages('calendar-admin', context.language).delete,
    back: menu
  })
}

async function removeImage(context: AdminContext): Promise<Redirect> {
  await context.api.delete(getImageApiPath(context))
  context.flash({ text: getMessages('calendar-admin', context.language).images.removed })
  return redirect(menu, 303)
}

function getImageApiPath({ params }: AdminContext): string {
  return `${calendarPath}/media/${encodeURIComponent(params.id ?? '')}`
}
