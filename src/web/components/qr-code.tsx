import type * as Uqr from 'uqr'
import { requireLazily } from '#platform/lazy-require.ts'

const uqr = requireLazily<typeof Uqr>('uqr')

/** Inline QR code. Dark on light in dark mode too: many scanners cannot read it otherwise. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = uqr().encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
