import { isFilePart } from '#platform/form.ts'
import { Refused } from '../../api.ts'
import { calendarPath } from '../../calendar-api.ts'
import { number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { placeWords } from '../../text/places.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import { type Listed, listAt } from '../calendar-lists.ts'
import { questionPage } from '../calendar-parts.tsx'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { pageOf } from '../list-address.ts'
import { Pager } from '../table.tsx'
import { type StoredImage, smallOf, upload } from './image-field.tsx'

const menu = '/admin/images'
/** What several files at once may weigh, and what comes around them. */
const formBytesMax = 41 * 1024 * 1024

export function imagePages(console: Console): void {
  console.show(menu, ['editor'], async desk => imagesPage(desk, await listAt<StoredImage>(desk, 'media', {})))
  console.take(menu, ['editor'], takeImages, formBytesMax)
  console.show(`${menu}/:id/delete`, ['editor'], askToRemove)
  console.take(`${menu}/:id/delete`, ['editor'], removeImage)
}

function imagesPage(desk: Desk, found: Listed<StoredImage>, error?: string): ConsolePage {
  const words = placeWords[desk.language].images
  const frame = consoleWords[desk.language]
  return {
    title: frame.nav.images,
    menu,
    ...(error === undefined ? {} : { status: 422 }),
    body: (
      <>
        <Form desk={desk} action={menu} upload class="card upload-form">
          <ErrorSummary title={frame.mend} errors={error === undefined ? {} : { files: error }} />
          <Field name="files" label={words.files} hint={words.filesHint} error={error}>
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
            label={words.alt}
            hint={words.altHint}
            maxLength={1000}
            value={error === undefined ? '' : field(desk, 'alt')}
          />
          <button type="submit">{words.upload}</button>
        </Form>
        {found.items.length === 0 ? (
          <div class="empty">{words.empty}</div>
        ) : (
          <ul class="image-grid" aria-label={words.grid}>
            {found.items.map(image => (
              <ImageCard key={image.id} desk={desk} image={image} />
            ))}
          </ul>
        )}
        <Pager desk={desk} page={pageOf(desk)} pages={found.pages} />
      </>
    )
  }
}

function ImageCard({ desk, image }: { desk: Desk; image: StoredImage }) {
  const words = placeWords[desk.language].images
  const alt = image.alt ?? ''
  const name = alt === '' ? `${words.noAlt} (${image.id})` : alt
  return (
    <li class="image-card">
      <a href={image.url}>
        <img src={image.sizes.medium?.url ?? smallOf(image)} alt={`${words.open}: ${name}`} loading="lazy" />
      </a>
      <p class={alt === '' ? 'image-alt faded' : 'image-alt'}>{alt === '' ? words.noAlt : alt}</p>
      <p class="image-size faded">
        {words.size(image.width, image.height, `${number(desk.language, Math.ceil(image.filesize / 1024))} KB`)}
      </p>
      <a class="button small quiet" href={`${menu}/${image.id}/delete`}>
        {placeWords[desk.language].delete}
        <span class="visually-hidden">: {name}</span>
      </a>
    </li>
  )
}

async function takeImages(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = placeWords[desk.language].images
  const given = desk.form.files
  const files = (Array.isArray(given) ? given : [given]).filter(isFilePart)
  if (files.length === 0) return imagesPage(desk, await listAt<StoredImage>(desk, 'media', {}), words.chooseFirst)
  const refused: string[] = []
  // One after the other: each is made into several sizes, which is work enough for the machine.
  for (const file of files) {
    try {
      await upload(desk.api, file, field(desk, 'alt'))
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500) throw error
      refused.push(`${file.filename}: ${error.message}`)
    }
  }
  const done = files.length - refused.length
  if (done === 0) return imagesPage(desk, await listAt<StoredImage>(desk, 'media', {}), refused.join(' '))
  desk.say(
    refused.length === 0
      ? { text: words.uploaded(done) }
      : { text: words.someRefused(done, refused.join(' ').slice(0, 500)), tone: 'bad' }
  )
  return redirect(menu, 303)
}

async function askToRemove(desk: Desk): Promise<ConsolePage> {
  const words = placeWords[desk.language].images
  const { body } = await desk.api.get<StoredImage>(imagePath(desk))
  return questionPage(desk, {
    title: words.question,
    menu,
    text: (
      <>
        <p>
          <img class="image-current" src={body.sizes.medium?.url ?? body.url} alt={body.alt ?? ''} />
        </p>
        <p>{words.questionText}</p>
      </>
    ),
    action: `${menu}/${body.id}/delete`,
    yes: placeWords[desk.language].delete,
    back: menu
  })
}

async function removeImage(desk: Desk): Promise<Redirect> {
  await desk.api.delete(imagePath(desk))
  desk.say({ text: placeWords[desk.language].images.removed })
  return redirect(menu, 303)
}

function imagePath({ params }: Desk): string {
  return `${calendarPath}/media/${encodeURIComponent(params.id ?? '')}`
}
