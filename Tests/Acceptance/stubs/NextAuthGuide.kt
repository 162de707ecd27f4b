// The app of nextAuth's quick start “AppLogin” in Kotlin. The guide has no Kotlin: a line that begins with //= stands for the guide's Java where it
// is Kotlin too, the rest is what a development environment makes of its Java. A user is at the keyboard: lines of standard input.
package guide

import com.nextauth.android.*
import java.io.File

class GuideApp : AbstractCallbackHandler(), NextAuthObserver {
    private var confirms: Session? = null

    // The entry point of the app, onResume on Android.
    fun onResume() {
        NextAuth.getNextAuth().addObserver(this)
        when {
            NextAuth.getNextAuth().accountManager.accounts.size == 0 -> show("onboarding")
            !NextAuth.getNextAuth().appLogin.isLoggedIn -> show("login")
            else -> show("home ${NextAuth.getNextAuth().getAppLogin().userName}")
        }
    }

    fun onPause() = NextAuth.getNextAuth().removeObserver(this)

    fun onScanned(data: ByteArray) = NextAuth.getSessionManager().startSession(data)
    fun onLoginPressed() {
        //= java: logging in
    }

    fun onLogoutPressed() {
        //= java: logging out
    }

    fun onPinEntered(digits: String) = NextAuth.getNextAuth().getSecondFactorManager().sfInput(PinContainer(digits))
    fun onFinger() = NextAuth.getNextAuth().getSecondFactorManager().sfInput(Any())
    fun onPinAndFinger(digits: String) = NextAuth.getNextAuth().getSecondFactorManager().sfInput(PinContainer(digits), Any())
    fun onConfirmed() = NextAuth.getSessionManager().setAccount(confirms!!, null, "typed by the user")
    fun onDeclined() = NextAuth.getSessionManager().stopSession(confirms!!)
    fun onSigned(approve: Boolean) = NextAuth.getSessionManager().confirmTransaction(confirms!!, approve)
    fun onForget() = NextAuth.getNextAuth().getAccountManager().deleteAccount(NextAuth.getNextAuth().getAccountManager().getAccounts().first())

    override fun onCallback(callback: Callback) = callback.trigger(this)

    override fun onConfirmEnrol(callback: ConfirmEnrol) {
        confirms = callback.session
        show("ConfirmEnrol ${callback.vash?.size ?: 0 > 100}")
    }

    override fun onConfirmLogin(callback: ConfirmLogin) {
        confirms = callback.session
        show("ConfirmLogin ${callback.accounts.joinToString(",") { it.userName }} ${callback.session.getAnnounceInfo().getInfo("shop")}")
    }

    override fun onConfirmTransaction(callback: ConfirmTransaction) {
        confirms = callback.session
        show("ConfirmTransaction ${callback.amount} ${callback.benificiary}")
    }

    override fun onSecondFactor(callback: SecondFactor) = show("SecondFactor ${callback.context ?: callback.result}")

    override fun onSessionLogin(callback: SessionLogin) {
        show("SessionLogin")
        val appLogin = NextAuth.getNextAuth().getAppLogin()
        if (appLogin.isLoggedIn()) show("home ${appLogin.getUserName()} ${appLogin.getWebNonce()}")
    }

    override fun onSessionStop(callback: SessionStop) {
        show("SessionStop ${callback.reason}")
        if (!NextAuth.getNextAuth().getAppLogin().isLoggedIn) show("login")
    }

    override fun onAccountUpdate(callback: AccountUpdate) = show("AccountUpdate ${callback.account.userId}")

    override fun onAccountDeleted(callback: AccountDeleted) {
        show("AccountDeleted")
        if (NextAuth.getNextAuth().getAccountManager().getAccounts().isEmpty()) show("onboarding")
    }

    override fun onUserErrorMessage(callback: UserErrorMessage) = show("UserErrorMessage ${callback.code}")

    private fun show(line: String) = synchronized(System.out) { println(line).also { System.out.flush() } }
}

/** Arguments: address, configuration, file. */
fun main(arguments: Array<String>) {
    NextAuth.connect(arguments[0], arguments[1], File(arguments[2]))
    val app = GuideApp()
    app.onResume()
    for (line in generateSequence(::readLine)) {
        val word = line.substringAfter(' ', "")
        when (line.substringBefore(' ')) {
            "scan" -> app.onScanned(word.toByteArray())
            "open" -> NextAuth.getSessionManager().startSession(word)
            "confirm" -> app.onConfirmed()
            "decline" -> app.onDeclined()
            "sign" -> app.onSigned(word == "yes")
            "pin" -> app.onPinEntered(word)
            "pin+finger" -> app.onPinAndFinger(word)
            "finger" -> app.onFinger()
            "login" -> app.onLoginPressed()
            "logout" -> app.onLogoutPressed()
            "forget" -> app.onForget()
            "push" -> NextAuth.getNextAuth().updatePushToken(word)
            "read" -> repeat(word.toInt()) { NextAuth.getNextAuth().accountManager.accounts }
            "resume" -> app.onPause().also { app.onResume() }
            else -> error("what is “$line”?")
        }
    }
}
