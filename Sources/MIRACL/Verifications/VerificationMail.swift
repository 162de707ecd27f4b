import Essentials
import HTTP
import PlatformKit

/// A mail that lets its reader confirm an id: by a link, or by six digits.
///
/// Source: trust-sdk-android, integration tests: the sender, the form of the link, and the words before the digits. The other sentences
/// are our own.
struct VerificationMail {
    let code: OneTimeCode
    let project: Project
    /// Nil for digits.
    let link: String?

    static let sender = "noreply@trust.miracl.cloud"

    init(_ code: OneTimeCode, _ project: Project, link: String?) {
        (self.code, self.project, self.link) = (code, project, link)
    }

    var message: Message {
        Message(
            kind: link == nil ? "verification_code" : "link",
            from: Message.Address(Self.sender, name: project.name), to: Message.Address(code.userID),
            subject: "Confirm your registration at \(project.name)", text: text, html: html,
            code: code.text, link: link, expiresAt: code.expiresAt, source: Vendor.name)
    }

    private var text: String {
        guard let link else { return "\(introduction)\n\n\(Self.demand)\(code.text)\n\n\(validity)\n" }
        return "\(introduction)\n\nOpen this link to go on:\n\(link)\n\n\(validity)\n"
    }

    /// Observed: the words that a client's tests look for.
    private static let demand = "Type the following code to register your device: "

    private var introduction: String {
        "Somebody, you we hope, registers \(device) for \(code.userID) at \(project.name)."
    }

    private var device: String {
        guard let name = code.deviceName, !name.isEmpty else { return "a device" }
        return "the device “\(name)”"
    }

    private var validity: String {
        let minutes = max(1, code.expiresAt.seconds(since: code.createdAt) / 60)
        return
            "It is valid for \(minutes) minute\(minutes == 1 ? "" : "s") and can be used once. If this was not you, ignore this mail."
    }

    private var html: String {
        let core: HTML =
            if let link {
                "<p><a href=\"\(link)\">Confirm that it is you</a></p>"
            } else {
                "<p>\(Self.demand)<b style=\"font-size: 1.5em; letter-spacing: .1em\">\(code.text)</b></p>"
            }
        let page: HTML = """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Confirm your registration</title></head>
            <body style="font-family: sans-serif">
            <p>\(introduction)</p>
            \(core)
            <p>\(validity)</p>
            </body>
            </html>

            """
        return page.text
    }
}
