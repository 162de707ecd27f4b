import HTTP

/// What a body is, whatever is said of it: some apps send JSON and call it a form, or a form and call it JSON.
enum BodyContent {
    case none
    case json(SpelledJSON)
    case form(Form)
    case page
    case other

    private static let formType = "application/x-www-form-urlencoded"
    private static let formSigns = Set("-._~%+&=*".utf8)

    init(_ bytes: [UInt8], _ headers: Headers) { self.init(bytes, called: headers.mediaType) }

    /// - Parameter type: a media type in small letters, without parameters; empty for none.
    init(_ bytes: [UInt8], called type: String) {
        let (isForm, isPage) = (type == Self.formType, type.hasPrefix("text/html"))
        if bytes.isEmpty {
            self = .none
        } else if let json = SpelledJSON(bytes), json.isCompound || !isForm && !isPage {
            self = .json(json)
        } else if isForm || (type.isEmpty || type.hasSuffix("json")) && Self.looksLikeForm(bytes) {
            self = .form(Form(bytes: bytes))
        } else {
            self = isPage ? .page : .other
        }
    }

    /// Pairs of a name and a value, of signs that forms have. Source: WHATWG URL, “application/x-www-form-urlencoded serializing”.
    private static func looksLikeForm(_ bytes: [UInt8]) -> Bool {
        let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return pairs.allSatisfy { pair in
            pair.first != UInt8(ascii: "=") && pair.count { $0 == UInt8(ascii: "=") } == 1
                && pair.allSatisfy { $0.isUnreserved || formSigns.contains($0) }
        }
    }

    var json: SpelledJSON? { if case .json(let json) = self { json } else { nil } }

    /// Nothing where it is no form.
    var fields: Form { if case .form(let form) = self { form } else { Form("") } }
}

extension SpelledJSON {
    /// Whether it is an object or an array, which no other kind of body begins like.
    fileprivate var isCompound: Bool { members != nil || array != nil }
}

extension RecordedRequest {
    var content: BodyContent { BodyContent(body, headers) }
}
