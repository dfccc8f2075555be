import type { File } from './source-files.ts'

/** Files and folders whose texts are not in the catalogues, or that have to know a language, with the reason. */
export const inlineTextPlaces: Record<string, string> = {
  'src/calendar/imports/sources/csv/template.ts': 'columns that the import of tables recognises by these names',
  'src/calendar/seed/': 'sample content',
  'src/fundraising/campaigns/texts.ts': 'an example in the OpenAPI document',
  'src/fundraising/donors/letter/': 'annual letters, which are legal texts',
  'src/fundraising/receipts/': 'donation receipts, which are legal texts',
  'src/fundraising/seed/': 'sample content',
  'src/platform/rich-text/slug.ts': 'letters of URLs by language, no text',
  'src/web/admin/auth/setup.tsx': 'a field for each of both languages',
  'src/web/admin/campaigns/story/': 'a form with fields for both languages side by side',
  'src/web/admin/campaigns/updates/': 'a form with fields for both languages side by side',
  'src/web/client/widgets/': 'custom elements, which run on other sites without the catalogues'
}

/** A member `de` with a text, or with a list, an object or a function of texts; members that are passed on as a pair. */
const pair = /(?<![\w.$-])['"]?de['"]?:\s*(?:['"`([{]|\w+\s*=>)|\{\s*en,\s*de\s*\}|\ben: string,\s*de: string\b/

const comparison = /[!=]==\s*(['"])de\1|(['"])de\2\s*[!=]==/

/** Texts in English and German in the source, and comparisons with German, outside the places that may have them. */
export function findInlineTexts(files: File[], places: string[] = Object.keys(inlineTextPlaces)): string[] {
  return files
    .filter(({ path }) => !places.some(place => path === place || (place.endsWith('/') && path.startsWith(place))))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pair.test(line) || comparison.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []
        )
    )
}

/** Places in the list that no longer need to be there. */
export function findNeedlessPlaces(files: File[]): string[] {
  return Object.keys(inlineTextPlaces).filter(
    place =>
      findInlineTexts(
        files.filter(({ path }) => path.startsWith(place)),
        []
      ).length === 0
  )
}
