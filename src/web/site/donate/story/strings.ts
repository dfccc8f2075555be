import type { Language } from '#platform/language.ts'

const en = {
  pictures: 'Pictures',
  items: 'What the money is for',
  itemsLead: 'What we receive covers this list from top to bottom.',
  each: (amount: string) => `${amount} each`,
  covered: (covered: string, total: string) => `${covered} of ${total}`,
  coveredPieces: (count: string, quantity: string) => `${count} of ${quantity} covered`,
  done: 'Covered',
  milestones: 'Milestones',
  reached: 'Reached',
  reachedOn: (day: string) => `Reached on ${day}`,
  missing: (amount: string) => `${amount} to go`,
  offline: (amount: string) => `of which ${amount} collected offline`
}

export type StoryStrings = typeof en

const de: StoryStrings = {
  pictures: 'Bilder',
  items: 'Wofür wir das Geld brauchen',
  itemsLead: 'Was eingeht, deckt diese Liste von oben nach unten.',
  each: amount => `je ${amount}`,
  covered: (covered, total) => `${covered} von ${total}`,
  coveredPieces: (count, quantity) => `${count} von ${quantity} gedeckt`,
  done: 'Gedeckt',
  milestones: 'Etappenziele',
  reached: 'Erreicht',
  reachedOn: day => `Erreicht am ${day}`,
  missing: amount => `noch ${amount}`,
  offline: amount => `davon ${amount} offline gesammelt`
}

/** Texts of the story on the page of a campaign. */
export const storyStrings: Record<Language, StoryStrings> = { en, de }
