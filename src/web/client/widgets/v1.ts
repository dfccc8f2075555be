import { showCampaign } from './campaign.ts'
import { defineElement } from './element.ts'
import { showEvents } from './events.ts'
import { resizeFrames } from './frames.ts'

/**
 * The first version of our elements for pages of others, under an address that stays: what a page uses of it (names,
 * attributes, parts, properties, events) is never taken away; what would be is in the next version.
 */
const home = new URL(import.meta.url).origin

defineElement('kalends-events', home, showEvents)
defineElement('kalends-campaign', home, showCampaign)
resizeFrames(home)
