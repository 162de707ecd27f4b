import Essentials
import HTTP

/// Finds, in a request that was refused, an id that another world gave out: most often two base URLs were mixed.
///
/// The platform's refusal says what it does not know; that the next world does know it is seen here, for all platforms alike.
struct StrayIDs {
    let request: Request
    let world: World

    /// Bytes of a body that are looked through, and words that are looked up.
    private static let mostBytes = 65_536
    private static let mostWords = 256
    /// Shorter ones may be anything.
    private static let lengths = 8...200

    /// Nil where no other world is known to have given out anything in it.
    var sentence: String? {
        guard world.core.issued.knowsOthers(than: world.name), let other = worldElsewhere else { return nil }
        return
            "The request carries an id of the world “\(other)”, not of this one: compare the two base URLs."
    }

    private var worldElsewhere: String? {
        var seen: Set<String> = []
        for word in texts.lazy.flatMap(Self.words) where seen.insert(word).inserted {
            if seen.count > Self.mostWords { return nil }
            let found =
                world.core.issued.world(of: word, besides: world.name)
                ?? world.core.issued.world(of: Subject(.code, secret: word).id, besides: world.name)
            if let found { return found }
        }
        return nil
    }

    /// What ids may stand in. Cookies are left out: browsers send those of other worlds along.
    private var texts: [String] {
        let headers = request.headers.fields.filter { field in
            field.name.equalsIgnoringCase("Authorization") || field.name.asciiLowercased.hasPrefix("x-")
        }
        let path = request.path.split(separator: "/").map(\.percentDecoded)
        return path + request.queryItems.pairs.map(\.value) + bodyTexts + headers.map(\.value)
    }

    /// The values of a form, or what stands between the quotes of JSON.
    private var bodyTexts: [String] {
        guard request.body.count <= Self.mostBytes else { return [] }
        let type = request.headers["Content-Type"]?.asciiLowercased ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") { return request.form.pairs.map(\.value) }
        return request.body.split(separator: UInt8(ascii: "\"")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A text as a whole, and its parts, such as those of an address in a QR code.
    private static func words(_ text: String) -> [String] {
        let parts = text.utf8.split { "?&=#/:;, \"\\".utf8.contains($0) }.map { String(Substring($0)) }
        return ([text] + parts.filter { $0 != text }).filter { lengths.contains($0.utf8.count) }
    }
}
