import type { Text } from '#platform/language.ts'
import type { SamplePictureName } from './sample-stories.ts'

/** Contact of a sample campaign, and its updates. */
export interface SampleNews {
  contact: { name: string; text: Text; email: string }
  updates: { daysAgo: number; title: Text; text: Text; picture?: SamplePictureName }[]
}

/** By the English names of the campaigns. */
export const sampleNews: Record<string, SampleNews> = {
  'A new roof for the music school': {
    contact: {
      name: 'Marta Lindqvist',
      text: {
        en: 'Teaches the violin, and has counted the buckets. Ask her about the roof, or come to a rehearsal.',
        de: 'Unterrichtet Geige und hat die Eimer gezählt. Fragen Sie sie nach dem Dach, oder kommen Sie zu einer Probe.'
      },
      email: 'roof@example.org'
    },
    updates: [
      {
        daysAgo: 30,
        title: { en: 'Three offers have arrived', de: 'Drei Angebote sind da' },
        text: {
          en: '<p>Three roofers have looked at the damage. The beams are in better shape than we feared, and the <strong>cheapest offer</strong> is from a firm in town.</p>',
          de: '<p>Drei Dachdecker haben sich den Schaden angesehen. Die Balken sind besser, als wir dachten, und das <strong>günstigste Angebot</strong> kommt aus dem Ort.</p>'
        }
      },
      {
        daysAgo: 16,
        title: { en: 'The rehearsal room has moved', de: 'Der Probenraum ist umgezogen' },
        text: {
          en: '<p>Until the roof is dry, the orchestra rehearses in the gym. It echoes, and that is part of the fun.</p>',
          de: '<p>Bis das Dach dicht ist, probt das Orchester in der Turnhalle. Es hallt, und das macht auch Spaß.</p>'
        },
        picture: 'rehearsal'
      },
      {
        daysAgo: 4,
        title: { en: 'The scaffold is ordered', de: 'Das Gerüst ist bestellt' },
        text: {
          en: '<p>Thanks to all of you the scaffold is paid for. It goes up in spring, as soon as the nights are free of frost.</p>',
          de: '<p>Dank Ihnen allen ist das Gerüst bezahlt. Es steht ab dem Frühjahr, sobald die Nächte frostfrei sind.</p>'
        }
      }
    ]
  },
  'Winter shelter for cats': {
    contact: {
      name: 'Jonas Aydın',
      text: {
        en: 'Feeds the cats in the morning and knows all forty by name.',
        de: 'Füttert die Katzen am Morgen und kennt alle vierzig beim Namen.'
      },
      email: 'cats@example.org'
    },
    updates: [
      {
        daysAgo: 22,
        title: { en: 'The first ten mats are warm', de: 'Die ersten zehn Matten sind warm' },
        text: {
          en: '<p>Ten heat mats lie in the barn. The cats needed an hour to find out.</p>',
          de: '<p>Zehn Wärmematten liegen in der Scheune. Die Katzen brauchten eine Stunde, um es zu merken.</p>'
        },
        picture: 'kitten'
      },
      {
        daysAgo: 6,
        title: { en: 'A day with the vet', de: 'Ein Tag mit der Tierärztin' },
        text: {
          en: '<p>Eighteen cats were examined and vaccinated. All of them are well, two of them are offended.</p>',
          de: '<p>Achtzehn Katzen wurden untersucht und geimpft. Allen geht es gut, zwei sind beleidigt.</p>'
        }
      }
    ]
  }
}
