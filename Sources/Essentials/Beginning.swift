extension String {
    /// The text, or the beginning of a longer one with an ellipsis behind it.
    ///
    /// - Parameter length: characters.
    package func beginning(_ length: Int) -> String {
        let start = prefix(length)
        return start.endIndex == endIndex ? self : start + "…"
    }
}
