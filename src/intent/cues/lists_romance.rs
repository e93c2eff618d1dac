//! Spanish, French, Italian and Portuguese. See `lists` for the classes.

use super::lists::*;

pub const ES: &[Row] = &[
    INJECTIONS,
    (
        TROUBLE,
        "avería* | averia* | atasc* | queja* | quejó | retras* | falla | fallo | fallas | falló | fallado | fallan | roto | rota | problema | problemas | error* | incidencia* | no funciona | no arranca | se cayó | se rompió | perdid* | tarde | rechaz* | bloquead* | fuga | estropead* | peor",
    ),
    (
        NO_TROUBLE,
        "sin problema | sin problemas | ningún problema | sin errores | no hay problema",
    ),
    (
        AGAIN,
        "otra vez | de nuevo | nuevamente | por tercera | por segunda | sigue | siguen | vuelve a | volvió a",
    ),
    (
        OBLIGE,
        "debe | deben | hay que | tiene que | tienen que | tengo que | tenemos que | por favor | necesito | necesitamos | necesita | plazo | vence | obligatorio | hace falta",
    ),
    (
        POLITE,
        "si necesitas | si necesita | cuando quieras | cuando quiera | no dudes | no dude | si hace falta | si queréis",
    ),
    (
        IMAGINED,
        "ojalá | habría | hubiera | hubiese | imagina | imagínate | supongamos | si ganáramos | algún día | qué tal si fuera",
    ),
    (FORBIDS_FIRST, "nunca | no"),
    (
        FORBIDS,
        "no debe | no deben | prohibido | no se puede | no está permitido",
    ),
    (
        DONE,
        "pagado | pagué | pagada | enviado | envié | enviada | hecho | hecha | terminado | terminé | firmado | firmada | firmé | entregado | entregada | entregué | resuelto | resuelta | cancelado | cancelada | arreglado | arreglada | reparado | renovado | presentado | ya está | listo | lista",
    ),
    (
        CLOSES,
        "llegó | llegaron | llegado | recibido | recibí | recibimos | confirmado | confirmó | aceptado | aprobado | decidido | decidimos | elegimos | elegido | reservado | reservé | compré | comprado | cambiaron | cambió | cambiado | instalado | recogido | recogí | ya funciona | dijo que sí | adjunto | como prometí | mandé | mandado | quedó",
    ),
    (
        WITHDRAWN,
        "olvídalo | olvidalo | déjalo | ya no hace falta | no hace falta ya | ya no necesit* | ya no es necesario | al final no | se anula | anulado",
    ),
    (
        NOT_YET,
        "no | sin | hasta | ser | debe | tiene | será | serán | antes | cuando | si | para | por | nunca | aún | todavía",
    ),
    (UNTIL, "hasta"),
    (
        GIVEN,
        "tienes hasta | tiene hasta | tenemos hasta | tenéis hasta | tienen hasta | hay hasta | plazo hasta | abierto hasta | abierta hasta | de plazo hasta",
    ),
    (
        ARTICLE,
        "el | la | los | las | un | una | mi | tu | su | nuestro | nuestra | este | esta | cada",
    ),
    (
        YOU,
        "tú | te | ti | tu | tus | usted | ustedes | vosotros | os | vuestro | vuestra | contigo | puedes | podrías | podéis",
    ),
    (
        ASK,
        "puedes | podrías | puede usted | podría | podrían | pueden | podéis | podríais | me puedes | me podrías | nos puedes | puedo | podemos | podríamos | es posible | sería posible | hay alguna | hay algún | tienes | tenéis | tiene usted | has podido | habéis | quién puede | quieres que | cuándo llega* | cuándo podr* | te importa | me mandas | me pasas | me envías",
    ),
    (
        PLEAD,
        "por favor | agradec* | necesito | necesitamos | necesita que | quisiera | quisiéramos | me gustaría | nos gustaría | le gustaría | quiere que | quieren que | quiere saber | pide | piden | pidió | ha pedido | han pedido | pregunta si | pregunta por | pregunta cuándo | preguntan | preguntó | avísame | avisadme | dime | decidme | mándame | envíame | estaría bien | vendría bien | hace falta que | espero tu | esperamos su | ruego | rogamos | solicita* | reclama*",
    ),
    (
        OPEN,
        "todavía no | aún no | sigue sin | siguen sin | seguimos sin | sin respuesta | sin noticias | no ha llegado | no han llegado | no contesta | nadie contesta | no me ha | esperando | a la espera | espera respuesta | pendiente | pendientes | recordatorio | no sé nada | no sabemos nada | nadie ha",
    ),
    (
        PROMISE,
        "voy a | vamos a | me encargo | nos encargamos | me ocupo | nos ocupamos | prometí | prometimos | prometido | promete | prometió | quedé en | quedamos en | le dije que | les dije que | dije que | te lo mando | te lo llevo | lo haré | lo haremos | te aviso | te mandaré | llevaré | mandaré | enviaré | haré | llamaré | prepararé | cuenta conmigo | déjamelo | le debo | les debo | me comprometí | nos comprometimos",
    ),
    (
        WHETHER,
        "si vamos | si nos | si lo | si se | si queremos | cuál de | cuál prefier* | cuál elegi* | qué día | qué fecha | sí o no | uno u otro",
    ),
    (
        DECIDE,
        "decidir | decidimos | decida* | decisión | decidirse | elegir | elección | escoger | indecis* | sin decidir | ponerse de acuerdo | nos ponemos de acuerdo | visto bueno | aprobación",
    ),
    (OR, "o | u"),
    (
        THANKS,
        "gracias | por fin | menos mal | perfecto | genial | estupendo | qué alivio",
    ),
    (
        ENDS,
        "vence | vencen | vencimiento | caduca | caducan | termina | cierra | cierran | acaba | último día | fecha límite | como tarde | a más tardar | plazo | expira | se renueva",
    ),
    (
        HABIT,
        "cada | siempre | como siempre | como cada | todos los | todas las | de costumbre | habitual | suele",
    ),
    (
        RECURS,
        "por tercera vez | por cuarta vez | la tercera vez | una y otra vez | otra vez lo mismo | esto no puede seguir | no puede seguir así | así no podemos | tiene que parar | veces esta semana | veces este mes | veces seguidas | el mismo problema | el mismo fallo | cada dos por tres | van tres | ya van",
    ),
];

pub const FR: &[Row] = &[
    INJECTIONS,
    (
        TROUBLE,
        "panne* | erreur* | échou* | échec* | cassé | cassée | cassés | retard* | plainte* | se plaint | problème | problèmes | bloqué | bloquée | coincé | défaut* | défectu* | ne marche | ne fonctionne | fuite* | perdu | perdue | refus* | tombé en | incident* | pire",
    ),
    (
        NO_TROUBLE,
        "pas de problème | aucun problème | sans erreur | sans problème",
    ),
    (
        AGAIN,
        "encore | de nouveau | à nouveau | pour la troisième | pour la deuxième | toujours | une fois de plus",
    ),
    (
        OBLIGE,
        "doit | doivent | il faut | merci de | échéance | il faudrait | besoin | obligatoire | prière",
    ),
    (
        POLITE,
        "si besoin | si vous avez besoin | si tu as besoin | n'hésitez | n'hésite | quand tu veux | quand vous voulez",
    ),
    (
        IMAGINED,
        "imaginons | imagine | aurait pu | aurions | si on gagnait | un jour | et si on",
    ),
    (FORBIDS_FIRST, "ne jamais | jamais | surtout pas"),
    (
        FORBIDS,
        "interdit | interdite | ne pas | ne doit pas | ne doivent pas | défense de",
    ),
    (
        DONE,
        "payé | payée | envoyé | envoyée | terminé | terminée | fini | signé | signée | réglé | réglée | réparé | réparée | annulé | annulée | déposé | déposée | livré | livrée | rendu | déjà | fait",
    ),
    (
        CLOSES,
        "arrivé | arrivée | arrivés | reçu | reçue | confirmé | accepté | approuvé | décidé | choisi | réservé | acheté | commandé | remplacé | changé | installé | récupéré | remis | ci-joint | comme promis | ça marche | remarche | répondu | dit oui | transmis",
    ),
    (
        WITHDRAWN,
        "laisse tomber | laissez tomber | oublie | oubliez | plus besoin | plus la peine | finalement non | c'est annulé | tant pis",
    ),
    (
        NOT_YET,
        "pas | être | non | sans | avant | dès | quand | si | doit | sera | seront | à | jamais | encore | n'est",
    ),
    (UNTIL, "jusqu'au | jusqu'à | jusque"),
    (
        GIVEN,
        "avez jusqu'au | as jusqu'au | avons jusqu'au | a jusqu'au | ont jusqu'au | ouvert jusqu'au | ouvertes jusqu'au | délai jusqu'au | avez jusqu'à | as jusqu'à | avons jusqu'à",
    ),
    (
        ARTICLE,
        "le | la | les | un | une | mon | ma | ton | ta | son | sa | notre | votre | leur | ce | cette | chaque",
    ),
    (YOU, "tu | te | toi | ton | ta | tes | vous | votre | vos"),
    (
        ASK,
        "peux tu | pouvez vous | pourrais tu | pourriez vous | tu peux | tu pourrais | vous pouvez | vous pourriez | est ce que | puis je | pourrais je | peut on | pourrait on | peux je | serait il possible | est il possible | as tu | avez vous | auriez vous | aurais tu | y a t il | y aurait il | qui peut | quand est ce | veux tu | voulez vous | ça te va",
    ),
    (
        PLEAD,
        "merci de | merci d'avance | s'il te plaît | s'il vous plaît | svp | stp | voudrais | voudrait | aimerais | aimerait | aimerions | souhaite | souhaiterait | besoin de | besoin d'un | besoin d'une | demande si | demande que | demande de | demande un | demande une | a demandé | demandent | dis moi | dites moi | envoie moi | envoyez moi | tiens moi | tenez moi | prière de | veuillez | réclame | ce serait bien | arrangerait | attend de | attends ta | attendons votre",
    ),
    (
        OPEN,
        "pas encore | toujours pas | toujours rien | aucune nouvelle | aucune réponse | sans réponse | sans nouvelles | en attente | attend | attends | attendons | attendent | relance | rappel | reste à | rien reçu | personne n'a",
    ),
    (
        PROMISE,
        "je vais | on va | nous allons | je m'en occupe | je m'occupe | on s'en occupe | j'ai promis | promis | promet | a promis | j'ai dit que | je lui ai dit que | je leur ai dit que | je t'envoie | je vous envoie | je ferai | je passerai | j'enverrai | je préparerai | j'apporterai | je t'apporte | je te tiens | compte sur moi | comptez sur moi | laisse moi | je dois encore | je me suis engagé* | on s'est engagé*",
    ),
    (
        WHETHER,
        "si on | si nous | s'il faut | lequel | laquelle | quel jour | quelle date | oui ou non | l'un ou l'autre",
    ),
    (
        DECIDE,
        "décider | décide | décision | choisir | choix | trancher | indécis* | se mettre d'accord | feu vert | accord de | validation | valider",
    ),
    (OR, "ou"),
    (
        THANKS,
        "merci | enfin | ouf | parfait | génial | super | quel soulagement | formidable",
    ),
    (
        ENDS,
        "échéance | expire | expirent | se termine | ferme | ferment | clôture | dernier jour | dernier délai | date limite | au plus tard | prend fin | arrive à terme | délai",
    ),
    (
        HABIT,
        "chaque | toujours | comme toujours | comme d'habitude | tous les | toutes les | d'habitude | habituel",
    ),
    (
        RECURS,
        "pour la troisième fois | pour la quatrième fois | troisième fois | une fois de plus | encore une fois | sans cesse | ça ne peut pas durer | ça ne peut plus durer | il faut que ça cesse | fois cette semaine | fois ce mois | fois de suite | le même problème | la même panne | ça fait trois",
    ),
];

pub const IT: &[Row] = &[
    INJECTIONS,
    (
        TROUBLE,
        "guast* | errore | errori | rotto | rotta | ritard* | reclam* | lament* | problema | problemi | bloccat* | fallit* | non funziona | non parte | perdita | perso | persa | rifiut* | difett* | inceppat* | in tilt | peggio",
    ),
    (NO_TROUBLE, "nessun problema | senza problemi | senza errori"),
    (
        AGAIN,
        "di nuovo | ancora | un'altra volta | per la terza | per la seconda | un'ennesima",
    ),
    (
        OBLIGE,
        "deve | devono | bisogna | devo | dobbiamo | per favore | serve | servono | scadenza | occorre | necessario",
    ),
    (
        POLITE,
        "se hai bisogno | se avete bisogno | se serve | quando vuoi | non esitare",
    ),
    (
        IMAGINED,
        "magari un | avrebbe | avremmo | immagina | supponiamo | se vincessimo | un giorno",
    ),
    (FORBIDS_FIRST, "non | mai"),
    (FORBIDS, "vietato | non deve | non devono | non si può | proibito"),
    (
        DONE,
        "pagato | pagata | inviato | inviata | mandato | mandata | fatto | fatta | finito | finita | firmato | firmata | consegnato | consegnata | risolto | risolta | annullato | annullata | riparato | riparata | già",
    ),
    (
        CLOSES,
        "arrivato | arrivata | arrivati | ricevuto | ricevuta | confermato | accettato | approvato | deciso | scelto | prenotato | comprato | ordinato | sostituito | cambiato | installato | ritirato | allegato | come promesso | funziona di nuovo | detto di sì",
    ),
    (
        WITHDRAWN,
        "lascia perdere | lasciate perdere | non serve più | non importa più | alla fine no | come non detto",
    ),
    (
        NOT_YET,
        "non | essere | senza | prima | finché | quando | se | deve | sarà | da | mai | ancora",
    ),
    (UNTIL, "fino | finché"),
    (
        GIVEN,
        "hai fino | avete fino | abbiamo fino | ha fino | hanno fino | tempo fino | aperto fino | aperte fino",
    ),
    (
        ARTICLE,
        "il | lo | la | i | gli | le | un | una | mio | mia | tuo | tua | suo | sua | nostro | nostra | ogni",
    ),
    (YOU, "tu | ti | te | tuo | tua | voi | vostro | vostra"),
    (
        ASK,
        "puoi | potresti | può | potrebbe | potete | potreste | mi puoi | mi potresti | ci potete | posso | possiamo | potremmo | è possibile | sarebbe possibile | hai | avete | c'è modo | chi può | quando arriva | ti va | vuoi",
    ),
    (
        PLEAD,
        "per favore | per cortesia | vorrei | vorrebbe | vorremmo | mi serve | ci serve | ho bisogno | abbiamo bisogno | ha bisogno | chiede | chiedono | ha chiesto | hanno chiesto | fammi sapere | fateci sapere | fatemi sapere | dimmi | mandami | sarebbe bello | sarebbe utile | mi farebbe comodo | aspetto tue | gradirei | la prego",
    ),
    (
        OPEN,
        "non ancora | ancora niente | ancora nulla | ancora non | nessuna risposta | senza risposta | nessuna notizia | in attesa | aspetta | aspetto | aspettiamo | aspettano | in sospeso | sollecito | promemoria",
    ),
    (
        PROMISE,
        "ci penso io | me ne occupo | ce ne occupiamo | ho promesso | promesso | promette | abbiamo promesso | ho detto che | gli ho detto che | le ho detto che | lo farò | te lo mando | ve lo mando | farò | faremo | manderò | porterò | chiamerò | preparerò | conta su di me | mi sono impegnat*",
    ),
    (
        WHETHER,
        "quale dei | quale delle | quale giorno | quale data | sì o no | se andare | se fare | se prendere | l'uno o l'altro",
    ),
    (
        DECIDE,
        "decidere | decisione | scegliere | scelta | indecis* | mettersi d'accordo | benestare | approvazione",
    ),
    (OR, "o | oppure"),
    (
        THANKS,
        "grazie | finalmente | meno male | perfetto | ottimo | che sollievo",
    ),
    (
        ENDS,
        "scade | scadono | scadenza | termina | chiude | chiudono | finisce | ultimo giorno | entro e non oltre | al più tardi | termine",
    ),
    (
        HABIT,
        "ogni | sempre | come sempre | come al solito | di solito | tutti i | tutte le",
    ),
    (
        RECURS,
        "per la terza volta | per la quarta volta | la terza volta | ancora una volta | di continuo | così non va | non si può andare avanti | deve finire | volte questa settimana | volte questo mese | volte di fila | lo stesso problema | lo stesso guasto | e siamo a tre",
    ),
];

pub const PT: &[Row] = &[
    INJECTIONS,
    (
        TROUBLE,
        "avaria* | avariou | erro | erros | falha* | falhou | quebrad* | quebrou | partiu se | atras* | reclama* | queixa* | problema | problemas | bloquead* | encravou | não funciona | vazamento | perdid* | recusad* | defeito* | caiu | travou | pior",
    ),
    (
        NO_TROUBLE,
        "sem problema | sem problemas | nenhum problema | sem erros",
    ),
    (
        AGAIN,
        "de novo | outra vez | novamente | pela terceira | pela segunda | voltou a | continua",
    ),
    (
        OBLIGE,
        "deve | devem | é preciso | tem que | tem de | têm que | preciso | precisamos | precisa | por favor | prazo | vence | necessário",
    ),
    (
        POLITE,
        "se precisar | se precisares | quando quiser | quando quiseres | não hesite | à vontade",
    ),
    (
        IMAGINED,
        "teria | teríamos | imagina | imagine | suponha | se ganhássemos | um dia | tomara",
    ),
    (FORBIDS_FIRST, "não | nunca"),
    (FORBIDS, "proibido | não deve | não devem | não pode | não podem"),
    (
        DONE,
        "pago | paga | paguei | enviado | enviada | enviei | feito | feita | terminado | terminei | assinado | assinada | entregue | entreguei | resolvido | resolvida | cancelado | cancelada | consertado | arranjado | já",
    ),
    (
        CLOSES,
        "chegou | chegaram | recebido | recebi | recebemos | confirmado | confirmou | aceitou | aceite | aprovado | decidido | decidimos | escolhemos | escolhido | reservei | reservado | comprei | comprado | trocaram | trocado | instalado | busquei | em anexo | como prometi | mandei | voltou a funcionar | disse que sim",
    ),
    (
        WITHDRAWN,
        "deixa para lá | deixe para lá | esquece | esqueça | não é mais preciso | já não é preciso | afinal não | não precisa mais",
    ),
    (
        NOT_YET,
        "não | ser | sem | até | antes | quando | se | deve | será | por | nunca | ainda | para",
    ),
    (
        UNTIL,
        "fechado até | fechada até | férias até | fora até | válido até | dura até | aberto até",
    ),
    (
        ARTICLE,
        "o | a | os | as | um | uma | meu | minha | seu | sua | nosso | nossa | cada",
    ),
    (YOU, "tu | te | ti | teu | tua | você | vocês | vos | contigo"),
    (
        ASK,
        "podes | podias | pode | poderia | podem | poderiam | consegues | consegue | posso | podemos | poderíamos | é possível | seria possível | tens | tem como | há alguma | há algum | quem pode | quando chega | queres | dá para",
    ),
    (
        PLEAD,
        "por favor | se faz favor | gostaria | gostaríamos | gostava | queria | quer que | preciso | precisamos | precisa de | pede | pedem | pediu | pediram | pergunta se | perguntou | avisa me | avise | diz me | diga me | manda me | mande me | seria bom | dava jeito | agradeço | agradecemos | aguardo | solicita*",
    ),
    (
        OPEN,
        "ainda não | ainda nada | sem resposta | sem notícias | nenhuma resposta | à espera | esperando | aguarda | aguardamos | espera | pendente | pendentes | lembrete | ninguém respondeu",
    ),
    (
        PROMISE,
        "vou | vamos | eu trato | trato disso | tratamos disso | prometi | prometemos | prometido | promete | prometeu | fiquei de | ficamos de | disse que ia | disse lhe que | eu faço | farei | faremos | mando te | levo | enviarei | conta comigo | conte comigo | comprometi me | deixa comigo",
    ),
    (
        WHETHER,
        "qual dos | qual das | que dia | que data | sim ou não | se vamos | se devemos | um ou outro",
    ),
    (
        DECIDE,
        "decidir | decisão | escolher | escolha | indecis* | chegar a acordo | aprovação | luz verde",
    ),
    (OR, "ou"),
    (
        THANKS,
        "obrigado | obrigada | finalmente | até que enfim | ainda bem | perfeito | ótimo | que alívio",
    ),
    (
        ENDS,
        "vence | vencem | vencimento | expira | caduca | termina | fecha | fecham | acaba | último dia | data limite | o mais tardar | prazo | encerra",
    ),
    (
        HABIT,
        "todos os | todas as | cada | sempre | como sempre | como de costume | costuma",
    ),
    (
        RECURS,
        "pela terceira vez | pela quarta vez | a terceira vez | mais uma vez | vezes sem conta | isto não pode continuar | assim não dá | tem que parar | tem de parar | vezes esta semana | vezes essa semana | vezes seguidas | o mesmo problema | a mesma avaria | já vão três",
    ),
];
