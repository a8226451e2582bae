// What has less contrast than WCAG AA asks for: 4.5, or 3 for large letters. Words on gradients are left out.
() => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgba = colour => {
    pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = (top, below) => top.slice(0, 3).map((part, i) => part * top[3] + below[i] * (1 - top[3])).concat(1)
  const light = ([r, g, b]) => [r, g, b].map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0)
  const ground = one => {
    const layers = []
    for (let at = one; at; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.backgroundImage !== 'none') return null
      layers.push(rgba(style.backgroundColor))
    }
    return layers.reverse().reduce((below, top) => over(top, below), rgba(getComputedStyle(document.documentElement).backgroundColor))
  }
  const faint = []
  for (const one of document.querySelectorAll('body *')) {
    const words = [...one.childNodes].filter(node => node.nodeType === 3 && node.data.trim()).map(node => node.data.trim())
    if (!words.length || one.closest('svg, .unseen, .skip, option') || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const below = ground(one)
    if (!below) continue
    const style = getComputedStyle(one)
    const [a, b] = [light(over(rgba(style.color), below)), light(below)].sort((a, b) => b - a)
    const contrast = (a + 0.05) / (b + 0.05)
    const large = parseFloat(style.fontSize) >= 18.5 && style.fontWeight >= 600
    if (contrast < (large ? 3 : 4.5)) faint.push(`${contrast.toFixed(2)} ${one.tagName}.${one.className}: ${words[0].slice(0, 30)}`)
  }
  return [...new Set(faint)]
}
