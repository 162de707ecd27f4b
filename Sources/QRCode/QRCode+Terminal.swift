extension QRCode {
    /// What a terminal without colours shows: light letters on dark, or dark letters on light.
    package enum Background: Sendable {
        case dark, light
    }

    /// The symbol in half blocks, a line of text for every two rows of modules, each line ended by a newline.
    ///
    /// - Parameters:
    ///   - quietZone: modules left light on each side, held to 0…100. The standard's 4 would cost a small window much room;
    ///     scanners on telephones do with 2.
    ///   - usesColour: black on white by escape sequences, which reads on every background. Where the output is no terminal
    ///     or `NO_COLOR` is set, take false, and no escape sequence is written.
    ///   - background: of the terminal, for want of colours: on `.dark` the blocks paint the light modules and the quiet zone, on
    ///     `.light` the dark modules. The wrong one shows the symbol inverted, which not every scanner reads. Not looked at
    ///     when `usesColour` is true.
    package func terminal(
        quietZone: Int = 2, usesColour: Bool = true, background: Background = .dark
    ) -> String {
        let margin = Self.margin(quietZone)
        let paintsDark = usesColour || background == .light
        let (start, end) = usesColour ? (Self.blackOnWhite, Self.plain) : ("", "")
        var text = ""
        for row in stride(from: -margin, to: size + margin, by: 2) {
            text += start
            for column in -margin..<size + margin {
                let top = isDark(row: row, column: column) == paintsDark
                let bottom = isDark(row: row + 1, column: column) == paintsDark
                text.unicodeScalars.append(Self.block(top, bottom))
            }
            text += end + "\n"
        }
        return text
    }

    /// The corners of the colour cube, which colour themes leave alone, unlike the first sixteen colours.
    private static let blackOnWhite = "\u{1B}[38;5;16;48;5;231m"
    private static let plain = "\u{1B}[0m"

    /// The block that paints these halves of a character cell.
    private static func block(_ top: Bool, _ bottom: Bool) -> Unicode.Scalar {
        switch (top, bottom) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
