import HTTP
import PlatformKit

/// A mail as HTML.
struct MailPage {
    let text: String

    /// - Parameters:
    ///   - number: a code, to stand out.
    ///   - end: what follows it.
    init(_ words: MailTexts.Mail, _ language: MailLanguage, number: String? = nil, end: String? = nil) {
        let number: HTML =
            number.map {
                "<p style=\"font-size: 2em; font-weight: bold; letter-spacing: 0.1em\">\($0)</p>\n"
            } ?? .none
        let end: HTML = end.map { "<p>\($0)</p>\n" } ?? .none
        let page: HTML = """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><title>\(words.subject)</title></head>
            <body style="font-family: sans-serif">
            <p>\(words.text)</p>
            \(number)\(end)</body>
            </html>

            """
        text = page.text
    }
}
