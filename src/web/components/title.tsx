/** Longer ones are set smaller: on a phone they would fill the screen. */
const shortMax = 70

/** The heading of a page that somebody else has worded. */
export function Title({ text, lang, className }: { text: string; lang?: string | undefined; className?: string }) {
  const look = [className, text.length > shortMax ? 'long' : undefined].filter(Boolean).join(' ')
  return (
    <h1 class={look === '' ? undefined : look} lang={lang}>
      {text}
    </h1>
  )
}
