import { languages } from '../language.ts'
import { getMessages } from '../messages/messages.ts'

/** First parts of paths of the public site, in all languages: no page can have them as its slug. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  'page',
  ...languages
    .flatMap(language => Object.values(getMessages('paths', language)))
    .map(path => path.split('/')[0] ?? '')
    .filter(part => /^[a-z0-9-]+$/.test(part))
])
