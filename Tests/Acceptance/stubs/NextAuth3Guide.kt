// An app on version 3 of nextAuth's SDK: it hears of flows. Lines that begin with //= stand for code of the vendor's pages.
package guide

import com.nextauth.android.*
import java.io.File

class FlowApp : AbstractCallbackHandler(), NextAuthObserver {
    private val flows get() = NextAuth.getNextAuth().flowManager

    override fun onCallback(callback: Callback) {
        callback.trigger(this)
        when (callback) {
            is ConfirmEnrol, is ConfirmLogin, is SecondFactor, is SessionLogin, is UserErrorMessage -> show(callback.javaClass.simpleName)
            else -> {}
        }
    }

    override fun onFlowUpdate(callback: FlowUpdate) {
        val flow = callback.flow
        val asked = flow.currentInteraction
        val factors = asked?.secondFactorInfo?.run { "$allowedSecondFactors/$requiredSecondFactors" }
        val accounts = asked?.confirmSessionInfo?.accounts?.joinToString(",") { it.userName }
        show(listOfNotNull(
            "Flow", flow.type, flow.state, asked?.type, asked?.inputTypes?.takeIf { it.isNotEmpty() }, factors, accounts?.ifEmpty { "nobody" },
            flow.previousInteractionResult?.run { "after $interactionType $type" }, flow.transaction?.amount, flow.error,
            flow.secondFactorAccount.takeIf { it.isPinBlocked }?.let { "blocked" }).joinToString(" "))
    }

    override fun onSessionUpdate(callback: SessionUpdate) = show("SessionUpdate ${callback.session.state}")
    override fun onError(callback: Error) = show("Error ${callback.error}")
    override fun onRetrievedMessages(callback: RetrievedMessages) = show("RetrievedMessages ${callback.messages.map { it.type }}")

    fun hear(line: String) {
        val word = line.substringAfter(' ', "")
        when (line.substringBefore(' ')) {
            "scan" -> try { flows.start(word.toByteArray()) } catch (exception: NextAuthException) { show("thrown ${exception.error}") }
            "confirm" -> flows.inputConfirm(null, "typed by the user")
            "sign" -> flows.inputConfirmTransaction(word == "yes")
            "cancel" -> flows.cancel()
            "pin" -> flows.inputSecondFactor(PinContainer(word))
            "pin+finger" -> flows.inputSecondFactor(PinContainer(word), Any())
            "login" -> NextAuth.getAppLogin().start()
            "messages" -> NextAuth.getNextAuth().retrieveMessages()
            "token" -> NextAuth.getNextAuth().getToken()
            "create" -> try {
                NextAuth.getNextAuth().getTransactionManager().create(Transaction(), NextAuth.getNextAuth().accountManager.accounts[0])
            } catch (exception: NextAuthException) { show("thrown ${exception.error}") }
            else -> error("what is “$line”?")
        }
    }

    private fun show(line: String) = synchronized(System.out) { println(line).also { System.out.flush() } }
}

/** Arguments: address, configuration, file. */
fun main(arguments: Array<String>) {
    NextAuth.connect(arguments[0], arguments[1], File(arguments[2]))
    val app = FlowApp()
    NextAuth.getNextAuth().addObserver(app)
    for (line in generateSequence(::readLine)) app.hear(line)
}
