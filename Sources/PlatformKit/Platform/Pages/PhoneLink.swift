package import HTTP

/// The way from a page with a code to the console's phones, one of which can scan it.
package enum PhoneLink {
    /// A link that brings the code along. It opens a tab of its own, since the page goes on waiting for the phone.
    ///
    /// - Parameter code: what the QR code of the page says.
    /// - Returns: nothing for a reader whom the console would ask for its token.
    package static func html(_ code: String, _ request: Request, _ services: Services) -> HTML {
        guard services.controlToken.allowsPage(request) else { return .none }
        let address = request.worldURL + "/phones?scan=" + code.percentEncoded
        return """
            <p><a href="\(address)" target="_blank" rel="noopener">Scan with a simulated phone</a></p>
            """
    }
}
