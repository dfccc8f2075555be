import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'

interface Network {
  name: string
  /** Whether the address is a profile there. */
  isAt(url: URL): boolean
  /** Strokes of the icon in a square of 24. */
  icon: string
}

const at =
  (...hosts: string[]) =>
  ({ hostname }: URL) =>
    hosts.some(host => hostname === host || hostname.endsWith(`.${host}`))

/** Simple drawings of our own that recall each network. */
const networks: Network[] = [
  {
    name: 'Instagram',
    isAt: at('instagram.com'),
    icon: 'M7 3h10a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4zM8 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0M17 7h.01'
  },
  { name: 'Facebook', isAt: at('facebook.com', 'fb.com'), icon: 'M16 3h-2a4 4 0 0 0-4 4v14M7 12h8' },
  {
    name: 'YouTube',
    isAt: at('youtube.com', 'youtu.be'),
    icon: 'M3 8q0-3 3-3h12q3 0 3 3v8q0 3-3 3H6q-3 0-3-3zM10 9v6l5-3z'
  },
  { name: 'LinkedIn', isAt: at('linkedin.com'), icon: 'M5 10v10M5 5h.01M10 20V10M10 14a4 4 0 0 1 9 0v6' },
  { name: 'TikTok', isAt: at('tiktok.com'), icon: 'M13 3v12a4 4 0 1 1-4-4M13 4q1 5 6 5' },
  {
    name: 'Bluesky',
    isAt: at('bsky.app'),
    icon: 'M12 11C10 7 6 4 4 4s-1 8 4 9c-4 1-2 6 1 6 2 0 3-4 3-5 0 1 1 5 3 5 3 0 5-5 1-6 5-1 6-9 4-9s-6 3-8 7z'
  },
  { name: 'Telegram', isAt: at('t.me', 'telegram.me'), icon: 'M3 11 21 4l-3 16-7-6zM11 14l-1 5 3-3M21 4 11 14' },
  { name: 'WhatsApp', isAt: at('wa.me', 'whatsapp.com'), icon: 'M3 21l2-5a9 9 0 1 1 4 3zM9 9c0 4 2 6 6 6' },
  {
    name: 'GitHub',
    isAt: at('github.com'),
    icon: 'M9 21v-4c-4 1-5-2-6-2M15 21v-4c0-1 0-2-1-2 4 0 6-2 6-6 0-2-1-3-1-4V3l-4 2H9L5 3v2c0 1-1 2-1 4 0 4 2 6 6 6-1 0-1 1-1 2'
  },
  // Anybody can run a server, so it is recognised by its form: /@name.
  {
    name: 'Mastodon',
    isAt: ({ pathname }) => /^\/@[^/]+\/?$/.test(pathname),
    icon: 'M19 15c-1 2-6 2-9 1 0 3 4 3 6 2M5 14c-1-4-1-9 2-10s7-1 10 0 3 7 2 11H7q-1 6 5 6M8 13V9a2 2 0 0 1 4 0v2-2a2 2 0 0 1 4 0v4'
  }
]

const globe = 'M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18'

/** Links to profiles of the organisation; the name of the network is their accessible name. */
export function SocialLinks({ language, links }: { language: Language; links: string[] }) {
  if (links.length === 0) return null
  return (
    <ul class="social-links" aria-label={getMessages('layout', language).social}>
      {links.map(link => {
        const url = new URL(link)
        const network = networks.find(({ isAt }) => isAt(url))
        const name = network?.name ?? url.hostname.replace(/^www\./, '')
        return (
          <li key={link}>
            <a href={link} rel="me noopener" title={name}>
              <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                <path d={network?.icon ?? globe} />
              </svg>
              <span class="visually-hidden">{name}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
