import HTTP

extension HTML {
    /// The attribute `hidden`, with its leading space, or nothing.
    static func hidden(_ isHidden: Bool) -> HTML { isHidden ? " hidden" : "" }

    /// A time of the API: whole seconds, UTC.
    static func time(_ text: String) -> HTML {
        let seconds = String(text.prefix(19))
        return "<time datetime=\"\(seconds)Z\">\(seconds.replacing("T", with: " "))</time>"
    }
}
