import Essentials

/// A mail taken apart: what people read, and what is attached. Source: RFC 5322; RFC 2045, RFC 2046; RFC 2183.
///
/// Whatever the bytes are, there is a mail; what was not understood is told in ``remarks``.
package struct MIMEMail: Sendable {
    package struct Attachment: Sendable {
        /// Of the last component of the sender's name for it, without control characters; never empty.
        package let name: String
        /// Such as `application/pdf`; `application/octet-stream` where the mail says nothing usable.
        package let type: String
        private let range: Range<Int>
        private let encoding: TransferEncoding

        init(name: String, type: String, range: Range<Int>, encoding: TransferEncoding) {
            (self.name, self.type, self.range, self.encoding) = (name, type, range, encoding)
        }

        /// The content, of the bytes that the mail was read from.
        package func content(in mail: [UInt8]) -> [UInt8] { encoding.decoded(mail[range]) }
    }

    package private(set) var subject = ""
    package private(set) var from: [Mailbox] = []
    /// Those in `To` and `Cc`.
    package private(set) var recipients: [Mailbox] = []
    /// The world that the sender names, where one back end serves several: `X-Understudy-World`.
    package private(set) var world: String?
    /// Lines end in LF.
    package private(set) var text: String?
    package private(set) var html: String?
    package private(set) var attachments: [Attachment] = []
    /// Full sentences: what is not shown as it was meant, and why.
    package private(set) var remarks: [String] = []

    private let limits: MIMELimits
    /// Where the mail ends.
    private let end: Int
    private var parts = 0
    /// Bytes that the parts put into the text so far.
    private var textBytes = 0

    package init(_ bytes: [UInt8], limits: MIMELimits = MIMELimits()) {
        self.limits = limits
        end = bytes.endIndex
        let header = MIMEHeader(bytes[...], limits)
        subject = Self.clean(EncodedText.decoded(header.text("subject") ?? ""))
        from = Mailbox.list(header.text("from") ?? "").map(Self.clean)
        recipients = (Mailbox.list(header.text("to") ?? "") + Mailbox.list(header.text("cc") ?? "")).map(
            Self.clean)
        world = header.text("x-understudy-world")
        read(bytes[...], header, depth: 0, usually: "text/plain")
    }

    private mutating func remark(_ sentence: String) {
        if !remarks.contains(sentence), remarks.count < 20 { remarks.append(sentence) }
    }

    private mutating func read(
        _ bytes: ArraySlice<UInt8>, _ header: MIMEHeader, depth: Int, usually usual: String
    ) {
        parts += 1
        if header.isCut {
            remark(
                "A header has more than \(limits.fields) fields or \(limits.headerBytes) bytes; the rest of it is only in the source."
            )
        }
        var type = MIMEParameters(header.value("content-type") ?? Array(usual.utf8)[...])
        // What is no type is plain text. Source: RFC 2045 §5.2.
        if type.value.utf8.count(where: { $0 == UInt8(ascii: "/") }) != 1 { type.value = "text/plain" }
        let body = bytes[min(header.end, bytes.endIndex)...]
        if type.value.hasPrefix("multipart/") {
            guard let boundary = type.boundary else {
                remark("A \(Self.clean(type.value)) names no boundary; it is an attachment.")
                return readLeaf(body, header, type, isTop: depth == 0)
            }
            if depth < limits.depth {
                if readParts(of: body, boundary, type.value, depth) { return }
                remark("A \(Self.clean(type.value)) has no parts; it is an attachment.")
            } else {
                remark(
                    "Multiparts are nested more than \(limits.depth) deep; what lies deeper is an attachment."
                )
            }
        }
        readLeaf(body, header, type, isTop: depth == 0)
    }

    /// - Returns: false when there are none.
    private mutating func readParts(
        of body: ArraySlice<UInt8>, _ boundary: String, _ type: String, _ depth: Int
    ) -> Bool {
        let (pieces, isClosed) = MIMEParts.split(
            body, boundary: Array(boundary.utf8), most: limits.parts - parts)
        guard var last = pieces.last else { return false }
        // The last line end of an open part is no part of it, as if the boundary stood behind it.
        if !isClosed, last.endIndex == end, last.last == .lineFeed { last = last.dropLast().trimmingReturn }
        if !isClosed { remark("A multipart has no end; it is read as far as it goes.") }
        if pieces.count >= limits.parts - parts {
            remark("The mail has more than \(limits.parts) parts; the rest is only in the source.")
        }
        for piece in pieces.dropLast() + [last] where parts < limits.parts {
            read(
                piece, MIMEHeader(piece, limits), depth: depth + 1,
                // Source: RFC 2046 §5.1.5.
                usually: type == "multipart/digest" ? "message/rfc822" : "text/plain")
        }
        return true
    }

    private mutating func readLeaf(
        _ body: ArraySlice<UInt8>, _ header: MIMEHeader, _ type: MIMEParameters, isTop: Bool
    ) {
        let disposition = MIMEParameters(header.value("content-disposition") ?? [])
        let given = disposition["filename"] ?? type["name"]
        let encodingName = header.text("content-transfer-encoding") ?? ""
        let encoding = TransferEncoding(encodingName)
        if encoding == nil {
            remark(
                "The transfer encoding “\(Self.clean(String(encodingName.prefix(40))))” is not known; its part is shown as it came."
            )
        }
        let isAttached = disposition.value == "attachment" || given != nil && !isTop
        switch type.value {
        case "text/plain" where !isAttached, "" where !isAttached:
            let plain = read(
                body, encoding ?? .identity, type["charset"], most: limits.textBytes - textBytes, "text")
            addText(
                type["format"]?.asciiLowercased == "flowed"
                    ? FlowedText.text(plain, deletesBlanks: type["delsp"]?.asciiLowercased == "yes") : plain)
        case "text/html" where !isAttached && html == nil:
            html = read(body, encoding ?? .identity, type["charset"], most: limits.htmlBytes, "HTML")
        default:
            attachments.append(
                Attachment(
                    name: Self.fileName(given, number: attachments.count + 1, type: type.value),
                    type: Self.plainType(type.value), range: body.startIndex..<body.endIndex,
                    encoding: encoding ?? .identity))
        }
    }

    private mutating func addText(_ more: String) {
        textBytes += more.utf8.count
        text = text.map { $0 + "\n" + more } ?? more
    }

    private mutating func read(
        _ body: ArraySlice<UInt8>, _ encoding: TransferEncoding, _ charset: String?, most: Int, _ what: String
    ) -> String {
        let bytes = encoding.decoded(body, most: max(0, most) + 1)
        let isCut = bytes.count > most
        if isCut { remark("The \(what) is longer than \(most) bytes; the rest of it is only in the source.") }
        let known = charset.map { Charset($0) ?? nil } ?? .utf8
        let name = Self.clean(String((charset ?? "").prefix(40)))
        if known == nil {
            remark(
                "The charset “\(name)” is not \(name.asciiLowercased == "utf-7" ? "read" : "known"); the \(what) is read as UTF-8, and what is none is not decoded."
            )
        }
        var isDamaged = false
        let shown = isCut ? bytes.prefix(max(0, most)) : bytes[...]
        let read = known?.text(shown, &isDamaged) ?? Charset.undecoded(shown, name)
        if isDamaged, !isCut, known != nil {
            remark(
                "The \(what) has bytes that are not \(Self.clean(charset ?? "UTF-8")); they are shown as \u{FFFD}."
            )
        }
        return Self.plainLines(read)
    }
}

/// Texts and names as they can be shown.
extension MIMEMail {
    /// CR LF becomes LF; a zero, which ends a text in many programs, becomes U+FFFD.
    private static func plainLines(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == .carriageReturn || $0 == 0 }) else { return text }
        var (plain, bytes) = ([UInt8](), Array(text.utf8))
        plain.reserveCapacity(bytes.count)
        bytes.append(0)
        for index in 0..<(bytes.count - 1) {
            switch bytes[index] {
            case .carriageReturn where bytes[index + 1] == .lineFeed: break
            case 0: plain += "\u{FFFD}".utf8
            case let byte: plain.append(byte)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Control characters become spaces, and what turns the direction of text goes.
    static func clean(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnwanted) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnwanted($0) ? " " : $0 }))
    }

    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func clean(_ mailbox: Mailbox) -> Mailbox {
        Mailbox(clean(mailbox.address), name: mailbox.name.map { clean($0) })
    }

    private static func fileName(_ given: String?, number: Int, type: String) -> String {
        let last = given?.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let name = String(clean(last).trimmed.prefix(200))
        guard name.isEmpty || name == "." || name == ".." else { return name }
        return "part-\(number)" + (endings[type] ?? ".bin")
    }

    private static let endings = [
        "text/plain": ".txt", "text/html": ".html", "message/rfc822": ".eml", "application/pdf": ".pdf",
        "image/png": ".png",
        "image/jpeg": ".jpg", "image/gif": ".gif", "text/calendar": ".ics", "application/json": ".json",
        "text/csv": ".csv",
    ]

    private static func plainType(_ type: String) -> String {
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain =
            parts.count == 2
            && parts.allSatisfy { part in
                1...80 ~= part.utf8.count
                    && part.utf8.allSatisfy { $0.isDigit || 0x61...0x7A ~= $0 || "+-.".utf8.contains($0) }
            }
        return isPlain ? type : "application/octet-stream"
    }
}

/// The parts of a multipart. Source: RFC 2046 §5.1.1.
enum MIMEParts {
    /// - Returns: what lies between the lines with the boundary, and whether the last of them was there.
    static func split(_ body: ArraySlice<UInt8>, boundary: [UInt8], most: Int) -> (
        parts: [ArraySlice<UInt8>], isClosed: Bool
    ) {
        var parts: [ArraySlice<UInt8>] = []
        var (start, partStart) = (body.startIndex, nil as Int?)
        while start < body.endIndex {
            let lineEnd = body[start...].firstIndex(of: .lineFeed) ?? body.endIndex
            if body[start] == dash, let isLast = delimiter(body[start..<lineEnd], boundary) {
                // Nothing lies between two boundaries, not even an empty part.
                if let partStart, partStart < start {
                    parts.append(body[partStart..<max(partStart, endOfPart(body, start))])
                }
                if isLast || parts.count >= most { return (parts, true) }
                partStart = min(lineEnd + 1, body.endIndex)
            }
            start = lineEnd + 1
        }
        if let partStart { parts.append(body[partStart...]) }
        return (parts, false)
    }

    private static let dash = UInt8(ascii: "-")

    /// Whether `line` is the boundary that ends the multipart; nil for a line that is no boundary. Blanks may follow.
    private static func delimiter(_ line: ArraySlice<UInt8>, _ boundary: [UInt8]) -> Bool? {
        guard line.starts(with: [dash, dash] + boundary) else { return nil }
        let rest = line.trimmingReturn.dropFirst(2 + boundary.count)
        let isLast = rest.starts(with: [dash, dash])
        return rest.dropFirst(isLast ? 2 : 0).allSatisfy(\.isBlank) ? isLast : nil
    }

    /// The line end before a boundary belongs to the boundary.
    private static func endOfPart(_ body: ArraySlice<UInt8>, _ start: Int) -> Int {
        guard start > body.startIndex else { return start }
        return start > body.startIndex + 1 && body[start - 2] == .carriageReturn ? start - 2 : start - 1
    }
}
