import Essentials

/// Where a portal's user is, as the portal tells it.
struct RequestContext: Sendable, Equatable {
    var ipAddress: String?
    /// As the browser sent it.
    var userAgent: String?

    /// `message` with its context, or bare when the context is off, not given, or the address is at no known place.
    ///
    /// Placeholders without a source stay empty.
    func enrich(_ message: String, _ settings: ContextSettings?, language: String?) -> String {
        guard let settings, ipAddress != nil || userAgent != nil else { return message }
        let place = ipAddress.flatMap { settings.locations?[$0] }
        if ipAddress != nil, place == nil { return message }
        return Self.fill(
            settings.template(in: language),
            [
                "message": message, "operatingSystem": operatingSystem, "browser": browser,
                "countryCode": place?.countryCode ?? "", "region": place?.region ?? "",
                "city": place?.city ?? "",
            ])
    }

    /// What stands in brackets is replaced once: a message that holds brackets stays as it is.
    private static func fill(_ template: String, _ values: [String: String]) -> String {
        var text = ""
        for (index, piece) in template.split(separator: "[", omittingEmptySubsequences: false).enumerated() {
            guard index > 0 else {
                text += piece
                continue
            }
            if let end = piece.firstIndex(of: "]"), let value = values[String(piece[..<end])] {
                text += value + piece[piece.index(after: end)...]
            } else {
                text += "[" + piece
            }
        }
        return text
    }

    private var operatingSystem: String {
        first([
            ("Windows", "Windows"), ("iPhone", "iOS"), ("iPad", "iOS"), ("Android", "Android"),
            ("Mac OS X", "macOS"), ("CrOS", "Chrome OS"), ("Linux", "Linux"),
        ])
    }

    /// The more special names come first: every browser claims to be some others as well.
    private var browser: String {
        first([
            ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"),
            ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ])
    }

    private func first(_ names: [(mark: String, name: String)]) -> String {
        guard let userAgent else { return "" }
        return names.first { userAgent.contains($0.mark) }?.name ?? ""
    }
}
