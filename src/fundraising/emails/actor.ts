import { type Language, pickByLanguage } from '#platform/language.ts'

/** Who made a change, in a sentence: `user 5 (Anna)` of the activity log becomes Anna. German: after “durch”. */
export function describeActor(language: Language, actor: string): string {
  const user = /^user \d+ \((.*)\)$/s.exec(actor)?.[1]
  if (user !== undefined) return user
  const key = /^key \d+ \((.*)\)$/s.exec(actor)?.[1]
  return key === undefined
    ? (pickByLanguage(strings, language).actors[actor] ?? actor)
    : pickByLanguage(strings, language).key(key)
}

interface ActorStrings {
  key(name: string): string
  actors: Record<string, string>
}

const strings: Record<Language, ActorStrings> = {
  en: {
    key: name => `the API key “${name}”`,
    actors: {
      ADMIN_KEY: 'the server key (ADMIN_KEY)',
      local: 'a local user of the server',
      'command line': 'the command line',
      'first run': 'the setup'
    }
  },
  de: {
    key: name => `den API-Schlüssel „${name}“`,
    actors: {
      ADMIN_KEY: 'den Serverschlüssel (ADMIN_KEY)',
      local: 'einen lokalen Benutzer des Servers',
      'command line': 'die Kommandozeile',
      'first run': 'die Einrichtung'
    }
  }
}
