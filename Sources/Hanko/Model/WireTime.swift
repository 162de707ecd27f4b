import Essentials
import PlatformKit

/// Times as Hanko writes them: RFC 3339, UTC, trailing zeros of the fraction dropped, `2026-01-02T03:04:05.12Z`.
enum WireTime {
    static func text(_ date: Date) -> String {
        var digits = Timestamp.text(date).dropLast()
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return digits + "Z"
    }
}
