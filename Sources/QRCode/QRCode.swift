/// A QR symbol: a square of dark and light modules.
package struct QRCode: Sendable {}
