// Lists what is missing or wrong in the catalogues of each language, also in those of the folder `messages` of the working folder. Fails if a message cannot be used.
import { formatLanguageName, languages } from '../src/platform/language.ts'
import { checkCatalogues } from '../src/platform/messages/check-catalogues.ts'

for (const language of languages) {
  const { missing, wrong } = checkCatalogues(language)
  console.log(`${formatLanguageName(language, 'en')} (${language}): ${missing.length} missing, ${wrong.length} wrong`)
  for (const line of missing) console.log(`  missing  ${line}`)
  for (const line of wrong) console.log(`  wrong    ${line}`)
  if (wrong.length > 0) process.exitCode = 1
}
