import { getDirAttribute } from '../format/direction.ts'

/** Longer titles get a smaller font: on a phone they would fill the screen. */
const shortMax = 70

/** Page heading with user-provided text. */
export function Title({ text, lang, className }: { text: string; lang?: string | undefined; className?: string }) {
  const look = [className, text.length > shortMax ? 'long' : undefined].filter(Boolean).join(' ')
  return (
    <h1 class={look === '' ? undefined : look} lang={lang} dir={getDirAttribute(text)}>
      {text}
    </h1>
  )
}
